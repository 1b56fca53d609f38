import {
  type Address,
  concatHex,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  numberToHex,
  zeroAddress,
} from 'viem'
import type { NewOrder } from '#schema/queries/orders/orders.ts'
import { type ChainClient, connectChain } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { networks } from '#shared/networks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { encodeTradeFlags } from '#shared/signing/encodeTradeFlags.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import { allowListSolvers } from '#tools/stack/chain/contracts/allowListSolvers.ts'
import { deploySettlementContracts } from '#tools/stack/chain/contracts/deploySettlementContracts.ts'
import { deployTestTokens, type TestTokens } from '#tools/stack/chain/contracts/deployTestTokens.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { newOrder } from '../database/newOrder.ts'
import { startTestChain, type TestChain } from './testChain.ts'

const network = networks.sepolia
const domainSeparator = computeDomainSeparator(network.chainId, network.settlementContract)

/**
 * Executed amounts of an order in one settlement, atoms; `uniformSell` is the sell amount without a fee; `isJit`: in no
 * auction.
 */
export type SettledFill = {
  order: NewOrder
  executedSell: bigint
  executedBuy: bigint
  uniformSell?: bigint
  isJit?: boolean
}

/**
 * A local chain with the settlement contract, test tokens, an allow-listed solver and an owner who approved the
 * relayer.
 */
export type SettlementChain = TestChain & {
  client: ChainClient
  tokens: TestTokens
  owner: Address
  solver: Address
  /** A pre-signed order of `owner` that sells DAI for COW; another `seed` gives another order. */
  buildOrder: (seed: number, changes?: Partial<NewOrder>) => NewOrder
  presign: (uid: Hex, signed?: boolean) => Promise<void>
  invalidate: (uid: Hex) => Promise<void>
  /** The solver settles orders from the settlement contract's balance. */
  settle: (fills: SettledFill[], auctionId?: number) => Promise<void>
  /** The calldata of such a settlement. */
  encodeSettle: (fills: SettledFill[], auctionId?: number) => Hex
  mine: (blocks: number) => Promise<void>
  /** Replaces the last blocks by empty ones. */
  reorganise: (depth: number) => Promise<void>
}

export const startSettlementChain = async (): Promise<SettlementChain> => {
  const testChain = await startTestChain()
  const { chain, rpcUrl } = testChain
  const settlement = network.settlementContract
  const solver = devAccounts[8].address
  const owner = devAccounts[7].address
  await allowListSolvers(chain, await deploySettlementContracts(chain), [solver])
  const tokens = await deployTestTokens(chain)
  const approve = { abi: erc20Abi, functionName: 'approve', args: [network.vaultRelayer, maxUint256] } as const
  await sendFrom(chain, owner, { to: tokens.DAI.address, data: encodeFunctionData(approve) })
  const give = { abi: erc20Abi, functionName: 'transfer', args: [settlement, 10n ** 24n] } as const
  await sendFrom(chain, owner, { to: tokens.COW.address, data: encodeFunctionData(give) })

  const callSettlement = (from: Address, data: Hex) => sendFrom(chain, from, { to: settlement, data })
  return {
    ...testChain,
    client: connectChain(rpcUrl, network.chainId),
    tokens,
    owner,
    solver,
    buildOrder: (seed, changes = {}) => {
      const order = newOrder(seed, {
        owner,
        sellToken: tokens.DAI.address,
        buyToken: tokens.COW.address,
        sellAmount: 1000n,
        buyAmount: 3000n,
        validTo: 4_000_000_000 + seed,
        signingScheme: 'presign',
        signature: '0x',
        ...changes,
      })
      return { ...order, uid: packOrderUid(digestOf(order), order.owner, order.validTo) }
    },
    presign: (uid, signed = true) =>
      callSettlement(
        owner,
        encodeFunctionData({ abi: settlementAbi, functionName: 'setPreSignature', args: [uid, signed] }),
      ),
    invalidate: (uid) =>
      callSettlement(owner, encodeFunctionData({ abi: settlementAbi, functionName: 'invalidateOrder', args: [uid] })),
    settle: (fills, auctionId) => callSettlement(solver, encodeSettle(fills, auctionId)),
    encodeSettle: (fills, auctionId) => encodeSettle(fills, auctionId),
    mine: (blocks) => chain.mine({ blocks }),
    reorganise: async (depth) => {
      await chain.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    },
  }
}

const digestOf = (order: NewOrder): Hex =>
  computeOrderDigest(domainSeparator, { ...order, receiver: order.receiver ?? zeroAddress })

const encodeSettle = (fills: SettledFill[], auctionId: number | undefined): Hex => {
  const tokens: Address[] = []
  const prices: bigint[] = []
  const uniform = fills.find(({ isJit }) => !isJit) ?? fills[0]
  const trades = fills.map((fill) => {
    const { order, executedSell, executedBuy } = fill
    if (fill === uniform) {
      tokens.push(order.sellToken, order.buyToken)
      prices.push(executedBuy, fill.uniformSell ?? executedSell)
    }
    tokens.push(order.sellToken, order.buyToken)
    prices.push(executedBuy, executedSell)
    return {
      sellTokenIndex: BigInt(tokens.length - 2),
      buyTokenIndex: BigInt(tokens.length - 1),
      receiver: order.receiver ?? zeroAddress,
      sellAmount: order.sellAmount,
      buyAmount: order.buyAmount,
      validTo: order.validTo,
      appData: order.appDataHash,
      feeAmount: order.feeAmount,
      flags: encodeTradeFlags(order, order.signingScheme),
      executedAmount: order.kind === 'sell' ? executedSell : executedBuy,
      signature: order.signingScheme === 'presign' ? order.owner : order.signature,
    }
  })
  const args = [tokens, prices, trades, [[], [], []]] as const
  const call = encodeFunctionData({ abi: settlementAbi, functionName: 'settle', args })
  return auctionId === undefined ? call : concatHex([call, numberToHex(auctionId, { size: 8 })])
}
