/**
 * A file with more problems than this is a file of another kind. Looking stops there, so that no file however bad
 * keeps the dispatcher busy.
 */
export const maxProblems = 100;
