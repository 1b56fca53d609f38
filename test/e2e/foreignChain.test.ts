import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { OrderBookApi, OrderKind, type SupportedChainId, TradingSdk } from '@cowprotocol/cow-sdk'
import { ViemAdapter } from '@cowprotocol/sdk-viem-adapter'
import { type Address, createPublicClient, createWalletClient, erc20Abi, http, maxUint256, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { multicall3Address } from '#shared/networks/multicall3Address.ts'
import { readNetworks } from '#shared/networks/readNetworks.ts'
import { type Network, networks } from '#shared/networks.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { create2Deployer } from '#tools/contracts/create2Deployer.ts'
import { type BadNode, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { createUniswapV2Pools, type PoolTokens } from '#tools/stack/chain/contracts/createUniswapV2Pools.ts'
import { deployTestTokens } from '#tools/stack/chain/contracts/deployTestTokens.ts'
import { deployWrappedNative } from '#tools/stack/chain/contracts/deployWrappedNative.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { fundAccounts } from '#tools/stack/chain/fundAccounts.ts'
import { createNodeFaults } from '#tools/stack/chain/harsh/createNodeFaults.ts'
import { startAnvil } from '#tools/stack/chain/startAnvil.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import { openPglite } from '#tools/stack/database/openPglite.ts'
import { databaseEndpoint } from '#tools/stack/databaseEndpoint.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { startReaper } from '#tools/stack/processes/startReaper.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { runUploads } from '../helpers/stack/runUploads.ts'
import { type Cloudflare, startCloudflare } from '../helpers/stack/startCloudflare.ts'

const root = join(import.meta.dirname, '../..')
const chainId = 77_001
const blockSeconds = 2
const [trader, operator] = devAccounts
const solver = devAccounts[8]

const entry = {
  label: 'Foreign',
  chainId,
  nativeSymbol: 'FOR',
  wrappedNative: '0x00000000000000000000000000000000f0e160a1',
  usdReference: { address: '0x00000000000000000000000000000000f0e160c1', decimals: 6 },
  uniswapV2Factory: '0x00000000000000000000000000000000f0e160d1',
  blockTimeSeconds: blockSeconds,
} as const

const undo: (() => unknown)[] = []
let dir: string
let chain: LocalChain
let tokens: PoolTokens
let nodes: [BadNode, BadNode]
let cloudflare: Cloudflare
let databaseUrl: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'edgebook-foreign-'))
  undo.push(() => rm(dir, { recursive: true, force: true }))
  await mkdir(join(dir, 'logs'))
  const reaper = startReaper()
  undo.push(reaper.close)
  const port = await findPort(0, 'port')
  const anvil = await startAnvil({ dir, port, chainId, blockTime: blockSeconds, isBare: true, reaper })
  undo.push(anvil.stop)
  chain = anvil.chain
  const network = readForeign({})
  const wrappedNative = await deployWrappedNative(chain, network)
  tokens = { WETH: { address: wrappedNative, decimals: 18 }, ...(await deployTestTokens(chain, network)) }
  await createUniswapV2Pools(chain, tokens, network)
  await fundAccounts(chain, tokens, [trader.address])

  nodes = [await startBadNode(anvil.rpcUrl), await startBadNode(anvil.rpcUrl)]
  undo.push(...nodes.map(({ close }) => close))
  const backend = await openPglite()
  const endpoint = await databaseEndpoint({ backend, port: 0 })
  undo.push(backend.close, endpoint.close)
  cloudflare = await startCloudflare()
  undo.push(cloudflare.close)
  databaseUrl = endpoint.databaseUrl
  const settings = [
    `SOLVERS='[{"name":"direct","strategy":"direct"}]'`,
    `SOLVER_PRIVATE_KEY_DIRECT=${solver.privateKey}`,
  ]
  await writeFile(join(dir, '.env.foreign'), [...settings, 'SOLVE_TIME_MS=2000\n'].join('\n'))
}, 120_000)

afterAll(async () => {
  for (let step = undo.pop(); step; step = undo.pop()) await step()
})

const readForeign = (changes: object): Network => {
  const all = readNetworks(JSON.stringify({ foreign: { ...entry, ...changes } })) as Record<string, Network>
  return all.foreign as Network
}

/** Runs a documented command in the operator's folder. */
const run = async (script: string, ...args: string[]): Promise<{ code: number | null; output: string }> => {
  const child = spawn(process.execPath, [join(root, `tools/${script}.ts`), ...args], {
    cwd: dir,
    env: { ...process.env, ...cloudflare.variables, OPERATOR_PRIVATE_KEY: operator.privateKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

const expectSuccess = async (script: string, ...args: string[]): Promise<string> => {
  const { code, output } = await run(script, ...args)
  expect(code, output).toBe(0)
  return output
}

/**
 * The platform serves the Workers of a deployment once its last one, the gateway, is there.
 * @param ended resolves when the deployment ends without it
 */
const runWhenUploaded = async (port: number, ended: Promise<string>): Promise<void> => {
  const isUploaded = async () => cloudflare.uploads.some(({ name }) => name === 'edgebook-gateway')
  await waitUntil('the gateway is uploaded', isUploaded, { timeoutMs: 4 * patienceMs, ended })
  const reaper = startReaper()
  undo.push(reaper.close)
  const derived = join(dir, '.edgebook/deploy/foreign-production')
  const workers = await runUploads({ dir, derived, uploads: cloudflare.uploads, port, reaper })
  undo.push(workers.stop)
}

/** Of the nodes. */
const maxLagBlocks = 2

/** Nodes without optional methods that lag, and refuse a part of the requests. */
const makeStingy = (): void => {
  for (const [index, node] of nodes.entries())
    node.interfere(
      createNodeFaults(
        {
          maxLagBlocks,
          latencyMs: 10,
          limitedShare: 0.05,
          missingMethods: [
            'eth_getBlockReceipts',
            'eth_feeHistory',
            'debug_traceTransaction',
            'debug_traceCall',
            'eth_maxPriorityFeePerGas',
          ],
        },
        createRandom(index + 1),
      ),
    )
}

const dieNode = (node: BadNode): void =>
  node.interfere(() => {
    throw new NodeRefusal({ isCut: true })
  })

test.runIf(process.env.LONG)(
  'one command brings a deployment and its first trade to a chain with nothing on it, which then trades with poor nodes',
  async () => {
    for (const address of [create2Deployer, multicall3Address, networks.sepolia.settlementContract])
      expect(await chain.getCode({ address })).toBeUndefined()

    const port = await findPort(0, 'port')
    const baseUrl = `http://127.0.0.1:${port}`
    const chainOptions = [
      ...['--name', 'foreign', '--rpc', nodes.map(({ url }) => url).join(), '--block-time', String(blockSeconds)],
      ...[
        '--wrapped',
        entry.wrappedNative,
        '--usd',
        entry.usdReference.address,
        '--v2-factory',
        entry.uniswapV2Factory,
      ],
    ]
    // nodes and gateway are on this machine
    const deployOptions = ['--database', databaseUrl, '--deploy', '--anyway', '--url', baseUrl]
    const command = run('newChain', String(chainId), ...chainOptions, ...deployOptions)
    await runWhenUploaded(
      port,
      command.then(({ output }) => output),
    )
    const { code, output } = await command
    expect(code, output).toBe(0)
    expect(output).toContain('deploy edgebook-gateway: https://edgebook-gateway.example.workers.dev')
    expect(output).toMatch(/"fillMs":\d+,"error":null/)
    expect(await chain.getCode({ address: multicall3Address })).toBeUndefined()
    const { CONTRACTS = '' } = parseEnv(await readFile(join(dir, '.env.foreign'), 'utf8'))
    const network = readForeign({ contracts: JSON.parse(CONTRACTS) })
    expect(network.contractSet).toBe('own')
    expect(await expectSuccess('doctor', 'foreign')).toContain('nothing is wrong')

    makeStingy()
    const index = (await (await fetch(`${baseUrl}/`, { headers: { Accept: 'application/json' } })).json()) as {
      networks: object[]
    }
    expect(index.networks).toMatchObject([
      {
        chainId,
        settlementContract: network.settlementContract,
        vaultRelayer: network.vaultRelayer,
        hooksTrampoline: network.hooksTrampoline,
        ethFlow: network.ethFlow,
      },
    ])

    const account = privateKeyToAccount(trader.privateKey)
    const viemChain = { ...chain.chain, id: chainId }
    const transport = http(chain.transport.url)
    const provider = createPublicClient({ chain: viemChain, transport, pollingInterval: 250 })
    const wallet = createWalletClient({ account, chain: viemChain, transport })
    await waitForReceipt(
      provider,
      await wallet.writeContract({
        address: tokens.WETH.address,
        abi: erc20Abi,
        functionName: 'approve',
        args: [network.vaultRelayer, maxUint256],
      }),
    )
    // the nodes that lag know of it, too
    await chain.mine({ blocks: maxLagBlocks })
    // from here on every transaction waits for its block
    await chain.setAutomine(false)
    await chain.setIntervalMining({ interval: blockSeconds })

    const id = chainId as SupportedChainId
    const baseUrls = { [chainId]: `${baseUrl}/foreign` } as Record<number, string> as Record<SupportedChainId, string>
    const orderBookApi = new OrderBookApi({ chainId: id, baseUrls })
    const adapter = new ViemAdapter({ provider, signer: account })
    const sdk = new TradingSdk({ chainId: id, appCode: 'foreign' }, { orderBookApi }, adapter)
    const before = await readBalance(tokens.USDC.address)
    const amount = parseEther('0.5')
    const { orderId } = await sdk.postSwapOrder({
      kind: OrderKind.SELL,
      sellToken: tokens.WETH.address,
      sellTokenDecimals: 18,
      buyToken: tokens.USDC.address,
      buyTokenDecimals: 6,
      amount: amount.toString(),
      settlementContractOverride: { [chainId]: network.settlementContract } as Record<number, string>,
    })
    dieNode(nodes[0])
    await waitUntil('the order is filled', async () => (await orderBookApi.getOrder(orderId)).status === 'fulfilled', {
      timeoutMs: patienceMs,
      intervalMs: 250,
    })

    const order = await orderBookApi.getOrder(orderId)
    expect(BigInt(order.executedSellAmount)).toBe(amount)
    expect((await readBalance(tokens.USDC.address)) - before).toBe(BigInt(order.executedBuyAmount))
    const [trade] = await orderBookApi.getTrades({ orderUid: orderId })
    const receipt = await chain.getTransactionReceipt({ hash: trade?.txHash as `0x${string}` })
    expect(receipt).toMatchObject({ status: 'success', from: solver.address, to: network.settlementContract })
    expect(
      await chain.readContract({
        address: network.settlementContract,
        abi: [
          {
            type: 'function',
            name: 'domainSeparator',
            stateMutability: 'view',
            inputs: [],
            outputs: [{ type: 'bytes32' }],
          },
        ],
        functionName: 'domainSeparator',
      }),
    ).toBe(computeDomainSeparator(chainId, network.settlementContract))
  },
)

const readBalance = (token: Address): Promise<bigint> =>
  chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [trader.address] })
