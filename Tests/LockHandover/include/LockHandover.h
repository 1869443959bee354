// No declarations: the functions of this target are called in place of those of the Swift library.
