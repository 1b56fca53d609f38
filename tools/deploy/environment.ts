/** Target of a deployment; each has its own Workers, queues, limits and settings. */
export type Environment = 'production' | 'staging'

export const readEnvironment = (isStaging: boolean): Environment => (isStaging ? 'staging' : 'production')

/** Name of a production resource in `environment`. */
export const toEnvironmentName = (name: string, environment: Environment): string =>
  environment === 'production' ? name : `${name}-${environment}`
