/// Carries the content of a file whose schema is an older one over to the classes of the program.
public final class Migration {}
