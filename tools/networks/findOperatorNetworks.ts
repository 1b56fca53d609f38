declare const EDGEBOOK_NETWORKS: string | undefined

/** The text that `loadOperatorNetworks.ts` has read; `{}` in a process without it, such as a test. */
export const findOperatorNetworks = (): string => (typeof EDGEBOOK_NETWORKS === 'undefined' ? '{}' : EDGEBOOK_NETWORKS)
