import { type NetworkName, networks } from '#shared/networks.ts'
import { checkChain } from './checkChain.ts'
import { checkContracts } from './checkContracts.ts'
import { checkDatabase } from './checkDatabase.ts'
import { checkMainnet } from './checkMainnet.ts'
import { checkSolvers, type KnownSolver } from './checkSolvers.ts'
import { checkVapid } from './checkVapid.ts'
import type { Finding } from './finding.ts'

/** What a network depends on. What is not known is not looked at: its setting is missing already. */
export type Target = {
  databaseUrls: readonly string[]
  rpcUrl: string | undefined
  /** asked about affiliates' contract wallets, where mainnet is not served itself */
  mainnetRpcUrl?: string | undefined
  solvers: readonly KnownSolver[]
  settings: Readonly<Record<string, string>>
}

/** Looks at everything that a network depends on; each look has a limit, and what depends on one that failed is left out. */
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
