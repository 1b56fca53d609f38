/** Unknown method, unsupported method, and the codes of providers for a method that a plan or free tier lacks. */
const refusalCodes: ReadonlySet<number> = new Set([-32_601, -32_004, -32_600, 35])

/** Whether an error's code says that the node does not offer the method. */
export const isUnsupported = (code: number): boolean => refusalCodes.has(code)
