import { type NetworkName, networks } from '#shared/networks.ts'
import { checkChain } from './checkChain.ts'
import { checkContracts } from './checkContracts.ts'
import { checkDatabase } from './checkDatabase.ts'
import { checkMainnet } from './checkMainnet.ts'
import { checkSolvers, type KnownSolver } from './checkSolvers.ts'
import { checkVapid } from './checkVapid.ts'
import type { Finding } from './finding.ts'

/** Dependencies of a network. Unknown ones are skipped: their missing setting is reported already. */
export type Target = {
  databaseUrls: readonly string[]
  rpcUrl: string | undefined
  /** reads affiliates' contract wallets where mainnet itself is not served */
  mainnetRpcUrl?: string | undefined
  solvers: readonly KnownSolver[]
  settings: Readonly<Record<string, string>>
}

/** Checks every dependency of a network, each with a timeout; skips those behind a failed one. */
export const diagnose = async (name: NetworkName, target: Target): Promise<Finding[]> => {
  const { databaseUrls, rpcUrl, mainnetRpcUrl, solvers, settings } = target
  const network = networks[name]
  const checks = [
    ...databaseUrls.map((databaseUrl) => checkDatabase(databaseUrl)),
    ...(rpcUrl ? [checkNetwork(rpcUrl, name, solvers)] : []),
    ...(mainnetRpcUrl && network.chainId !== networks.mainnet.chainId ? [checkMainnet(mainnetRpcUrl)] : []),
  ]
  return [...(await Promise.all(checks)).flat(), ...checkVapid(settings)]
}

const checkNetwork = async (rpcUrl: string, name: NetworkName, solvers: readonly KnownSolver[]): Promise<Finding[]> => {
  const network = networks[name]
  const { isRight, findings } = await checkChain(rpcUrl, network)
  if (!isRight) return findings
  const contracts = await checkContracts(rpcUrl, network)
  return [...findings, ...contracts, ...(await checkSolvers(rpcUrl, network, solvers))]
}
