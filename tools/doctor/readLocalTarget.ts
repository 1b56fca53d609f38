import { findNetwork, type NetworkName } from '#shared/networks.ts'
import { readStackInfo } from '../stack/stackInfo.ts'
import type { DiagnosisTarget } from './diagnose.ts'

/**
 * The local stack as a target of the doctor.
 * @param dir folder of the stack
 * @throws Error when the folder has no running stack, or one of another network
 */
export const readLocalTarget = (dir: string, network: NetworkName): DiagnosisTarget => {
  const { network: served, databaseUrl, rpcUrl, solvers } = readStackInfo(dir)
  if (findNetwork(served)?.name !== network) throw new Error(`the stack in ${dir} serves ${served}, not ${network}`)
  return { databaseUrls: [databaseUrl], rpcUrl, solvers, settings: {} }
}
