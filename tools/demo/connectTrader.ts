import { OrderBookApi, type SupportedChainId, TradingSdk } from '@cowprotocol/cow-sdk'
import { ViemAdapter } from '@cowprotocol/sdk-viem-adapter'
import {
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  defineChain,
  erc20Abi,
  type Hex,
  http,
  type PublicClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { waitForReceipt } from '../stack/chain/waitForReceipt.ts'

/** A funded account that uses the official SDK on a running stack, and its view of the chain. */
export type Trader = {
  address: Address
  sdk: TradingSdk
  orderBook: OrderBookApi
  /** by chain id: the SDK knows those of its own networks alone */
  settlementContractOverride: Record<number, string>
  chain: PublicClient
  /** Approves the vault relayer for a token, as every owner does once. */
  approveRelayer: (token: Address) => Promise<void>
  findBalance: (token: Address) => Promise<bigint>
}

export const connectTrader = (stack: StackInfo, privateKey: Hex): Trader => {
  const account = privateKeyToAccount(privateKey)
  const viemChain: Chain = defineChain({
    id: stack.chainId,
    name: 'edgebook local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [stack.rpcUrl] } },
  })
  const transport = http(stack.rpcUrl)
  const chain = createPublicClient({ chain: viemChain, transport, pollingInterval: 250 })
  const wallet = createWalletClient({ account, chain: viemChain, transport })
  const chainId = stack.chainId as SupportedChainId
  const orderBook = new OrderBookApi({ chainId, baseUrls: toBaseUrls(stack) })
  const adapter = new ViemAdapter({ provider: chain, signer: account })
  const sdk = new TradingSdk({ chainId, appCode: 'edgebook demo' }, { orderBookApi: orderBook }, adapter)
  return {
    address: account.address,
    sdk,
    orderBook,
    settlementContractOverride: { [chainId]: stack.contracts.settlement },
    chain,
    approveRelayer: async (token) => {
      const hash = await wallet.writeContract({
        address: token,
        abi: erc20Abi,
        functionName: 'approve',
        args: [stack.contracts.vaultRelayer, 2n ** 256n - 1n],
      })
      await waitForReceipt(chain, hash)
    },
    findBalance: (token) =>
      chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [account.address] }),
  }
}

const toBaseUrls = (stack: StackInfo) =>
  ({ [stack.chainId]: `${stack.baseUrl}/${stack.network}` }) as Record<SupportedChainId, string>
