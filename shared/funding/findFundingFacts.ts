import type { Address } from 'viem'
import { encodeNativeBalance } from '../chain/calls/balanceCalls.ts'
import { createEncoder } from '../chain/calls/createEncoder.ts'
import { readSingleWord } from '../chain/calls/readWord.ts'
import { ignoreSimulationError, type Simulate, type SimulatedCall } from '../chain/calls/simulateCalls.ts'
import type { ChainClient } from '../chain/connectChain.ts'
import { erc20Abi } from '../chain/erc20Abi.ts'
import { simulateFunds } from '../hooks/simulateFunds.ts'
import type { Network } from '../networks.ts'
import type { FundingFacts } from './computeFunding.ts'
import { listPermitViews, readPermit } from './permit.ts'

export type FundingDeps = {
  network: Network
  simulate: Simulate
  connect: () => ChainClient
}

/** Calls of the settlement contract before the reads are the order's pre-hooks. */
export type FundingQuery = Parameters<typeof simulateFunds>[2]

const approvalGas = 1_000_000n
const readGas = 100_000n
const encodeApproval = createEncoder(erc20Abi, 'approve')

/**
 * Reads an owner's funds in the sell token after the pre-hooks, the token's permits, and whether an approval must be reset:
 * one simulation, and a second request only where a permit is a step.
 * @returns the facts for an amount of sell token atoms; undefined when the token or the node returns no amounts
 */
export const findFundingFacts = async (
  { network, simulate, connect }: FundingDeps,
  query: FundingQuery,
  signal: AbortSignal,
): Promise<((needed: bigint) => Promise<FundingFacts>) | undefined> => {
  const { owner, sellToken } = query
  const approve = (amount: bigint): SimulatedCall => ({
    ...{ from: owner, to: sellToken, gas: approvalGas },
    data: encodeApproval([network.vaultRelayer, amount]),
  })
  const views = listPermitViews(sellToken, owner)
  const further = [approve(1n), approve(0n), approve(1n), ...views]
  if (sellToken === network.wrappedNative)
    further.push({ to: network.multicall3, data: encodeNativeBalance(owner), gas: readGas })
  const found = await simulateFunds(simulate, network, query, signal, further).catch(ignoreSimulationError)
  if (found?.balance === undefined || found.allowance === undefined) return undefined
  const { balance, allowance } = found
  const [changed, reset, changedAfterReset, ...returned] = found.returned
  const needsReset = changed === undefined && reset !== undefined && changedAfterReset !== undefined
  const permit = readPermit(returned, { address: sellToken, chainId: network.chainId })
  const native = readSingleWord(returned[views.length])
  return async (needed) => {
    const takesPermit = permit !== undefined && allowance < needed && (await hasNoCode(connect(), owner))
    return { balance, allowance, needsReset, permit: takesPermit ? permit : undefined, native }
  }
}

/** Without a response no permit is offered, because tokens verify those of contracts in different ways. */
const hasNoCode = (client: ChainClient, address: Address): Promise<boolean> =>
  client.request({ method: 'eth_getCode', params: [address, 'latest'] }).then(
    (code) => code === undefined || code === '0x',
    () => false,
  )
