/** What a deployment is for; each has Workers, queues, limits and settings of its own. */
export type Environment = 'production' | 'staging'

export const readEnvironment = (isStaging: boolean): Environment => (isStaging ? 'staging' : 'production')

/** Makes a name of production one of `environment`. */
export const toEnvironmentName = (name: string, environment: Environment): string =>
  environment === 'production' ? name : `${name}-${environment}`
