/** Something is different from before: a command that brings things over ends so, to start what depends on it. */
export const EXIT_CHANGED = 10;
