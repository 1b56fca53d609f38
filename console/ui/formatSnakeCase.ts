/** `settlement_failed` as "settlement failed". */
export const formatSnakeCase = (name: string): string => name.replaceAll('_', ' ')
