/** Request ids in place of the gateway's, whose pool of random bytes lasts from one run to the next. */
const createPlatformUuid = (): string => crypto.randomUUID()

export { createPlatformUuid as createUuid }
