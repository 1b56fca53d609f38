/** In the place of zod's compiler, which needs code from strings: no Worker may run any. */
const refuse = (): never => {
  throw new Error('the Workers are built without compile')
}

export const INVALID = Symbol.for('zod.compile.invalid')
export { refuse as compile, refuse as withParser }
export class ZodCompileAsyncError extends Error {}
export class ZodCompileUnsupportedError extends Error {}
