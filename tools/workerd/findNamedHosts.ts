import type { WorkerConfig } from '../workers/workerConfig.ts'

/** Hosts, with their ports, of every URL in the settings of a Worker. */
export const findNamedHosts = ({ vars = {} }: Pick<WorkerConfig, 'vars'>): string[] => {
  const urls = Object.values(vars).flatMap((value) => value.match(/\b(?:https?|postgres(?:ql)?):\/\/[^\s",]+/g) ?? [])
  const hosts = urls.flatMap((url) => URL.parse(url.replace(/^postgres(ql)?:/, 'http:'))?.host ?? [])
  return [...new Set(hosts)].sort()
}
