import { listNodes } from '#shared/chain/nodes/fetchNode.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { checkChain } from './checkChain.ts'
import { checkContracts } from './checkContracts.ts'
import { checkMainnet } from './checkMainnet.ts'
import { checkReach, type Place } from './checkReach.ts'
import { type ConfiguredSolver, checkSolvers } from './checkSolvers.ts'
import { checkVapid } from './checkVapid.ts'
import { diagnoseDatabase } from './diagnoseDatabase.ts'
import type { DoctorFinding } from './finding.ts'

/** Dependencies of a network. Unknown ones are skipped: the fault of their setting is reported already. */
export type DiagnosisTarget = {
  databaseUrls: readonly string[]
  /** those of `databaseUrls` whose tables another role owns */
  rowRoleUrls?: readonly string[] | undefined
  /** the largest size of a database; undefined: the one that Neon reports */
  databaseLimitBytes?: number | undefined
  rpcUrl: string | undefined
  /** reads affiliates' contract wallets where mainnet itself is not served */
  mainnetRpcUrl?: string | undefined
  solvers: readonly ConfiguredSolver[] | undefined
  settings: Readonly<Record<string, string>>
  place?: Place
  /** applies pending migrations before anything else */
  migrates?: boolean | undefined
}

/** Checks every dependency of a network, each with a timeout; skips those behind a failed one. */
export const diagnose = async (name: NetworkName, target: DiagnosisTarget): Promise<DoctorFinding[]> => {
  const { databaseUrls, rowRoleUrls, databaseLimitBytes, rpcUrl, mainnetRpcUrl, solvers, settings, place } = target
  const network = networks[name]
  const checks = [
    ...databaseUrls.map((databaseUrl) =>
      diagnoseDatabase(databaseUrl, {
        limitBytes: databaseLimitBytes ?? null,
        isForRows: rowRoleUrls?.includes(databaseUrl) ?? false,
        migrates: target.migrates ?? false,
      }),
    ),
    ...(rpcUrl ? [checkNodes(listNodes(rpcUrl), name, solvers)] : []),
    ...(mainnetRpcUrl && network.chainId !== networks.mainnet.chainId
      ? listNodes(mainnetRpcUrl).map((url) => checkMainnet(url))
      : []),
  ]
  return [...(await Promise.all(checks)).flat(), ...checkReach(name, settings, place), ...checkVapid(settings)]
}

/** Checks everything with the first node; of the others, that they can replace it. */
const checkNodes = async (
  [first = '', ...others]: readonly string[],
  name: NetworkName,
  solvers: readonly ConfiguredSolver[] | undefined,
): Promise<DoctorFinding[]> => {
  const checks = others.map(async (url, index) => {
    const { findings } = await checkChain(url, networks[name])
    return findings.map((finding) => ({ ...finding, name: `${finding.name}, node ${index + 2}` }))
  })
  return (await Promise.all([checkNetwork(first, name, solvers), ...checks])).flat()
}

const checkNetwork = async (
  rpcUrl: string,
  name: NetworkName,
  solvers: readonly ConfiguredSolver[] | undefined,
): Promise<DoctorFinding[]> => {
  const network = networks[name]
  const { isRight, findings } = await checkChain(rpcUrl, network)
  if (!isRight) return findings
  const contracts = await checkContracts(rpcUrl, network)
  return [...findings, ...contracts, ...(solvers ? await checkSolvers(rpcUrl, network, solvers) : [])]
}
