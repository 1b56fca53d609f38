import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseUnits,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ChainClient, connectChain } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { computeEthsignDigest } from '#shared/signing/computeEthsignDigest.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { AuctionOrder, SolveRequest } from '#shared/solvers/driverApi.ts'
import { connectLocalChain, type LocalChain } from '../stack/chain/connectLocalChain.ts'
import { devAccounts } from '../stack/chain/devAccounts.ts'
import { prepareChain } from '../stack/chain/prepareChain.ts'
import { startAnvil } from '../stack/chain/startAnvil.ts'
import { waitForReceipt } from '../stack/chain/waitForReceipt.ts'
import { findPort } from '../stack/processes/findPort.ts'
import { startReaper } from '../stack/processes/startReaper.ts'

const network = networks.sepolia
const [trader] = devAccounts
const oneEther = 10n ** 18n

/** A local chain with orders for a solver to settle. */
export type CheckMarket = {
  network: typeof network
  rpcUrl: string
  chain: LocalChain
  client: ChainClient
  /** the account of the stack that settles for engines */
  solver: Address
  /** signed orders by the name of their variant, which pools of the chain can fill; each call signs new ones */
  signOrders: () => Promise<Record<string, AuctionOrder>>
  buildAuction: (id: string, orders: AuctionOrder[], timeMs: number) => SolveRequest
  /** lets an account settle */
  allow: (solver: Address) => Promise<void>
  stop: () => Promise<void>
}

/**
 * @param rpcUrl node of a running local chain; without it a new one is started
 * @throws Error when it serves another chain than the local stack
 */
export const openMarket = async (rpcUrl?: string): Promise<CheckMarket> => {
  const { url, stop } = rpcUrl === undefined ? await startChain() : { url: rpcUrl, stop: async () => undefined }
  const chain = connectLocalChain(url, network.chainId)
  const served = await chain.getChainId()
  if (served !== network.chainId)
    throw new Error(
      `--rpc-url serves chain ${served}: a check needs a local one of id ${network.chainId}, as of npm start`,
    )
  const solver = devAccounts[4].address
  const allow = async (address: Address): Promise<void> => {
    await prepareChain(chain, { solvers: [address], traders: [trader.address] })
  }
  const { tokens } = await prepareChain(chain, { solvers: [solver], traders: [trader.address] })
  for (const { address } of Object.values(tokens)) {
    const args = [network.vaultRelayer, maxUint256] as const
    const approve = { account: trader.address, address, abi: erc20Abi, functionName: 'approve', args } as const
    await waitForReceipt(chain, await chain.writeContract(approve))
  }
  const [WETH, USDC] = [tokens.WETH.address, tokens.USDC.address]
  const prices = new Map([
    [WETH, oneEther],
    [USDC, (oneEther * 10n ** 12n) / 3000n],
  ])
  const draft: AuctionOrder = {
    ...{ uid: '0x', kind: 'sell', sellToken: USDC, buyToken: WETH, sellAmount: parseUnits('300', 6) },
    ...{ buyAmount: parseUnits('0.08', 18), feeAmount: 0n, executed: 0n, partiallyFillable: false },
    ...{ created: 1_700_000_000, validTo: 0xfffffff0, owner: trader.address, receiver: null },
    ...{ sellTokenBalance: 'erc20', buyTokenBalance: 'erc20', class: 'limit', appData: zeroHash },
    ...{ preInteractions: [], postInteractions: [], protocolFees: [], signingScheme: 'eip712', signature: '0x' },
  }
  const quote = { sellAmount: parseUnits('300', 6), buyAmount: parseUnits('0.09', 18) }
  const hook = { target: WETH, value: 0n, callData: encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' }) }
  const variants: Record<string, Partial<AuctionOrder>> = {
    'a sell order': {},
    'a buy order': { kind: 'buy', sellAmount: parseUnits('400', 6), buyAmount: parseUnits('0.1', 18) },
    'a partially fillable order': { partiallyFillable: true },
    'an order for the native token': { buyToken: nativeSentinel },
    'an order with a receiver, signed by eth_sign': { receiver: devAccounts[1].address, signingScheme: 'ethsign' },
    'an order with a protocol fee': { protocolFees: [{ kind: 'volume', factor: 0.01 }] },
    'an order with fees on surplus and price improvement': {
      protocolFees: [
        { kind: 'surplus', factor: 0.1, maxVolumeFactor: 0.01 },
        { kind: 'priceImprovement', factor: 0.1, maxVolumeFactor: 0.01, quote: { ...quote, fee: 0n } },
      ],
      quote: { ...quote, fee: 0n, solver: zeroAddress },
    },
    'an order with hooks': { preInteractions: [hook], postInteractions: [hook], settleAlone: true },
    'a pre-signed order': { signingScheme: 'presign', settleAlone: true },
  }
  let salt = BigInt(Date.now())
  const sign = async (changes: Partial<AuctionOrder>): Promise<AuctionOrder> => {
    salt += 1n
    const appData: Hex = `0x${salt.toString(16).padStart(64, '0')}`
    const order = { ...draft, ...changes, appData }
    const domain = computeDomainSeparator(network.chainId, network.settlementContract)
    const signed = { ...order, appDataHash: appData, receiver: order.receiver ?? zeroAddress }
    const digest = computeOrderDigest(domain, signed)
    const hash = order.signingScheme === 'ethsign' ? computeEthsignDigest(digest) : digest
    const uid = packOrderUid(digest, order.owner, order.validTo)
    if (order.signingScheme === 'presign') {
      const call = { account: trader.address, address: network.settlementContract, abi: settlementAbi } as const
      const presignature = { ...call, functionName: 'setPreSignature', args: [uid, true] } as const
      await waitForReceipt(chain, await chain.writeContract(presignature))
      return { ...order, uid }
    }
    return { ...order, signature: await privateKeyToAccount(trader.privateKey).sign({ hash }), uid }
  }
  return {
    ...{ network, rpcUrl: url, chain, solver, allow, stop },
    client: connectChain(url, network.chainId),
    signOrders: async () => {
      const entries = Object.entries(variants).map(async ([name, changes]) => [name, await sign(changes)] as const)
      return Object.fromEntries(await Promise.all(entries))
    },
    buildAuction: (id, orders, timeMs) => ({
      id,
      orders,
      tokens: [...prices].map(([address, price]) => ({ address, price, trusted: true })),
      deadline: new Date(Date.now() + timeMs).toISOString(),
      surplusCapturingJitOrderOwners: [devAccounts[2].address],
    }),
  }
}

const startChain = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-check-'))
  await mkdir(join(dir, 'logs'))
  const reaper = startReaper()
  const port = await findPort(0, 'RPC_PORT')
  const anvil = await startAnvil({ dir, port, chainId: network.chainId, blockTime: 12, reaper })
  return {
    url: anvil.rpcUrl,
    stop: async () => {
      await anvil.stop()
      reaper.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
