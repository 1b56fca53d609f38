import { DatabaseSync } from 'node:sqlite'
import { type Address, erc20Abi, type Hex, maxUint256, parseEther, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ChainClient, connectChain } from '#shared/chain/connectChain.ts'
import { type Network, nativeSentinel, networks } from '#shared/networks.ts'
import { computeEthsignDigest } from '#shared/signing/computeEthsignDigest.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { AuctionOrder, SolveRequest } from '#shared/solvers/driverApi.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { prepareChain } from '#tools/stack/chain/prepareChain.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { startTestChain, type TestChain } from '../chain/testChain.ts'
import { auctionOrder } from '../orders/auctionOrder.ts'

const network: Network = networks.sepolia
const domainSeparator = computeDomainSeparator(network.chainId, network.settlementContract)
const trader = privateKeyToAccount(devAccounts[0].privateKey)
const owner = trader.address.toLowerCase() as Address
const otherTrader = privateKeyToAccount(devAccounts[1].privateKey)
const otherOwner = otherTrader.address.toLowerCase() as Address

/** A local chain with the settlement contract, tokens, pools, an allow-listed solver and a trader who approved the relayer. */
export type SolverMarket = TestChain & {
  network: Network
  connect: () => ChainClient
  solver: ReturnType<typeof privateKeyToAccount>
  tokens: Record<'WETH' | 'USDC' | 'DAI' | 'COW', Address>
  trader: Address
  /** has the same tokens and approvals */
  otherTrader: Address
  balanceOf: (token: Address, owner: Address) => Promise<bigint>
  /** An order of one of the traders with a unique UID: by default 1 WETH for at least an atom of USDC. */
  signOrder: (changes?: Partial<AuctionOrder>) => Promise<AuctionOrder>
}

/** Auction prices of ether, dollars with 6 and 18 decimals, and COW: wei per 10^18 atoms. */
const ether = 10n ** 18n
export const prices = {
  WETH: ether,
  USDC: (ether * 10n ** 12n) / 3000n,
  DAI: ether / 3000n,
  COW: ether / 10_000n,
}

export const startSolverMarket = async (): Promise<SolverMarket> => {
  const testChain = await startTestChain()
  const { chain, rpcUrl } = testChain
  const solver = privateKeyToAccount(devAccounts[8].privateKey)
  const { tokens } = await prepareChain(chain, { solvers: [solver.address], traders: [owner, otherOwner] })
  const approvals: Hex[] = []
  for (const { address } of Object.values(tokens)) {
    const args = [network.vaultRelayer, maxUint256] as const
    for (const account of [trader, otherTrader])
      approvals.push(await chain.writeContract({ account, address, abi: erc20Abi, functionName: 'approve', args }))
  }
  await Promise.all(approvals.map((hash) => waitForReceipt(chain, hash)))
  const addresses = {
    WETH: tokens.WETH.address,
    USDC: tokens.USDC.address,
    DAI: tokens.DAI.address,
    COW: tokens.COW.address,
  }
  let salt = 0
  return {
    ...testChain,
    network,
    connect: () => connectChain(rpcUrl, network.chainId),
    solver,
    tokens: addresses,
    trader: owner,
    otherTrader: otherOwner,
    balanceOf: (token, account) =>
      token === nativeSentinel
        ? chain.getBalance({ address: account })
        : chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [account] }),
    signOrder: (changes = {}) => {
      salt += 1
      const appData: Hex = `0x${salt.toString(16).padStart(64, '0')}`
      return sign({ ...draft, sellToken: addresses.WETH, buyToken: addresses.USDC, appData, ...changes })
    },
  }
}

const draft: AuctionOrder = { ...auctionOrder, sellAmount: parseEther('1'), owner }

const sign = async (order: AuctionOrder): Promise<AuctionOrder> => {
  const digest = computeOrderDigest(domainSeparator, {
    ...order,
    appDataHash: order.appData,
    receiver: order.receiver ?? zeroAddress,
  })
  const hash = order.signingScheme === 'ethsign' ? computeEthsignDigest(digest) : digest
  const signature = await (order.owner === otherOwner ? otherTrader : trader).sign({ hash })
  return { ...order, signature, uid: packOrderUid(digest, order.owner, order.validTo) }
}

/** An auction with the prices of every token of the market. */
export const buildAuction = ({ tokens }: SolverMarket, id: string, orders: AuctionOrder[]): SolveRequest => ({
  id,
  orders,
  tokens: (['WETH', 'USDC', 'DAI', 'COW'] as const).map((symbol) => ({
    address: tokens[symbol],
    price: prices[symbol],
    trusted: true,
  })),
  deadline: '2100-01-01T00:00:00Z',
  surplusCapturingJitOrderOwners: [],
})

/** A Durable Object's SQLite, in memory. */
export const openSql = () => {
  const database = new DatabaseSync(':memory:')
  return {
    exec: (query: string, ...values: (string | number)[]) => {
      const rows = database.prepare(query).all(...values)
      return { toArray: () => rows }
    },
  }
}
