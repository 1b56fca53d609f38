/** Stops or removes one part of a stack. */
export type UndoStep = () => unknown
