// How many problems of a rules file are reported; here because every check needs it.
/** The search for problems stops here, so that no file keeps the dispatcher busy. */
export const maxProblems = 100;
