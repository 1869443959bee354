// Nothing to call: what is in this target is called in place of functions of Swift's library.
