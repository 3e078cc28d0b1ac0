/** Deleted after the compilation: an optional dependency that is not there when the program runs. */
class Missing {
}
