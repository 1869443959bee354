// Nothing to call: what is in this target is called in place of a function of the system.
