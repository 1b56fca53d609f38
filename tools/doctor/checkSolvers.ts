import { type Address, formatEther } from 'viem'
import { authenticatorAbi } from '#shared/chain/authenticatorAbi.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { Network } from '#shared/networks.ts'
import { type DoctorFinding, limited, ok, wrong } from './finding.ts'
import { queryChain } from './queryChain.ts'

const timeoutMs = 5_000

/** A solver of the network; without a URL it is a Worker of the deployment. */
export type ConfiguredSolver = { name: string; address: Address; url?: string | undefined }

/** Whether each solver may settle, has gas, and responds. */
export const checkSolvers = async (
  rpcUrl: string,
  network: Network,
  solvers: readonly ConfiguredSolver[],
): Promise<DoctorFinding[]> => {
  if (solvers.length === 0)
    return [wrong('solvers', 'none', 'name one in SOLVERS: without it there are no quotes and no trades')]
  return (await Promise.all(solvers.map((solver) => checkSolver(rpcUrl, network, solver)))).flat()
}

const checkSolver = async (rpcUrl: string, network: Network, solver: ConfiguredSolver): Promise<DoctorFinding[]> => [
  await checkPermission(rpcUrl, network, solver),
  await checkBalance(rpcUrl, network, solver),
  ...(solver.url ? [await checkDriver(solver.name, solver.url)] : []),
]

const checkPermission = async (
  rpcUrl: string,
  network: Network,
  { name, address }: ConfiguredSolver,
): Promise<DoctorFinding> => {
  const label = `solver ${name} may settle`
  const chain = connectChain(rpcUrl, network.chainId)
  try {
    const authenticator = await chain.readContract({
      address: network.settlementContract,
      abi: settlementAbi,
      functionName: 'authenticator',
    })
    const mayCall = await chain.readContract({
      address: authenticator,
      abi: authenticatorAbi,
      functionName: 'isSolver',
      args: [address],
    })
    if (mayCall) return ok(label, address)
    return wrong(label, `${address} is not on the list of ${authenticator}`, 'have its manager call addSolver with it')
  } catch (error) {
    return wrong(label, describeError(error), 'see the settlement contract above')
  }
}

const checkBalance = async (
  rpcUrl: string,
  network: Network,
  { name, address }: ConfiguredSolver,
): Promise<DoctorFinding> => {
  const label = `solver ${name} can pay gas`
  const answer = await queryChain(rpcUrl, 'eth_getBalance', [address, 'latest'])
  if (answer.kind !== 'result') return wrong(label, answer.message, 'see the node above')
  const balance = BigInt(String(answer.result))
  if (balance > 0n) return ok(label, `${formatEther(balance)} ${network.nativeSymbol}`)
  return wrong(label, `${address} has no ${network.nativeSymbol}`, 'send it some for the gas of settlements')
}

/** Any HTTP response passes: the driver API has no root route. */
const checkDriver = async (name: string, url: string): Promise<DoctorFinding> => {
  const label = `solver ${name} answers`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' })
    await response.body?.cancel()
    if (response.status < 500) return ok(label, new URL(url).host)
    return limited(label, `status ${response.status}`, 'contact the operator of the driver')
  } catch (error) {
    return wrong(label, describeError(error), 'check the URL in SOLVERS and that the driver runs')
  }
}
