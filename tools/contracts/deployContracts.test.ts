import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { multicall3Address } from '#shared/networks/multicall3Address.ts'
import { readNetworks } from '#shared/networks/readNetworks.ts'
import { networks } from '#shared/networks.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { writeSettings } from '../deploy/writeSettings.ts'
import { type DevAccount, devAccounts } from '../stack/chain/devAccounts.ts'
import { connectOperator, readOperatorKey } from './connectOperator.ts'
import { create2Deployer } from './create2Deployer.ts'
import { deployContracts } from './deployContracts.ts'
import { manageSolvers } from './manageSolvers.ts'
import { planContracts } from './planContracts.ts'

const network = { ...networks.sepolia, blockTimeSeconds: 0.1 }
const [operator, stranger, solver] = devAccounts
const plan = planContracts({ salt: 'test', manager: operator.address, wrappedNative: network.wrappedNative })

let local: TestChain
let lines: string[]
const log = (line: string) => lines.push(line)
const connect = (account: DevAccount = operator) => connectOperator(local.rpcUrl, network, account.privateKey)

beforeAll(async () => {
  local = await startTestChain()
  // a chain of one's own has no deterministic deployer
  await local.chain.setCode({ address: create2Deployer, bytecode: '0x' })
})

afterAll(() => local.stop())

test('a dry run prints addresses, gas and cost, and sends nothing', async () => {
  lines = []
  await deployContracts(connect(), network, plan, { dryRun: true, log })
  for (const { name, address } of plan.contracts) expect(lines).toContain(`  ${name}: ${address}`)
  expect(lines.join('\n')).toMatch(/at most \d{7,} gas, 0\.\d+ ETH at \d+ wei per gas/)
  expect(await local.chain.getTransactionCount({ address: operator.address })).toBe(0)
})

test('deploys the deployer and all contracts, verifies them, and a second run sends nothing', async () => {
  lines = []
  const { manager, ...unchecked } = plan
  await expect(
    deployContracts(connect(), network, { ...unchecked, manager: stranger.address }, { dryRun: false, log }),
  ).rejects.toThrow(/manager is/)
  expect(lines.filter((line) => line.endsWith(': deployed'))).toHaveLength(plan.contracts.length)

  const count = await local.chain.getTransactionCount({ address: operator.address })
  lines = []
  await deployContracts(connect(), network, plan, { dryRun: false, log })
  expect(lines.filter((line) => line.endsWith(', is there'))).toHaveLength(plan.contracts.length)
  expect(lines.filter((line) => line.includes('code hash 0x'))).toHaveLength(plan.contracts.length)
  expect(await local.chain.getTransactionCount({ address: manager })).toBe(count)
})

test('continues after a failure: only what is missing is deployed', async () => {
  lines = []
  const other = planContracts({ salt: 'test', manager: stranger.address, wrappedNative: network.wrappedNative })
  await deployContracts(connect(), network, other, { dryRun: false, log })
  const known = new Set(plan.contracts.map(({ address }) => address))
  const missing = other.contracts.filter(({ address }) => !known.has(address))
  expect(missing.length).toBeGreaterThan(3)
  expect(lines.filter((line) => line.endsWith(', is there'))).toHaveLength(other.contracts.length - missing.length)
  expect(lines.filter((line) => line.endsWith(': deployed'))).toHaveLength(missing.length)
  expect(other.addresses.settlement).not.toBe(plan.addresses.settlement)
})

test('where the chain lacks Multicall3, it is deployed, bundles reads, and is part of the setting', async () => {
  lines = []
  const { wrappedNative } = network
  const own = planContracts({ salt: 'test', manager: operator.address, wrappedNative, lacksMulticall3: true })
  await deployContracts(connect(), network, own, { dryRun: false, log })
  expect(lines.filter((line) => line.endsWith(': deployed'))).toEqual(['  Multicall3: deployed'])
  const { multicall3 } = own.addresses
  if (!multicall3) throw new Error('no Multicall3')
  const call = { address: multicall3, abi: parseAbi(['function getChainId() view returns (uint256)']) } as const
  const contracts = [{ ...call, functionName: 'getChainId' }] as const
  expect(await local.chain.multicall({ contracts, multicallAddress: multicall3, allowFailure: false })).toEqual([
    BigInt(network.chainId),
  ])
  const read = readNetworks(
    JSON.stringify({ sepolia: { contracts: own.addresses }, base: { contracts: plan.addresses } }),
  )
  expect([read.sepolia.multicall3, read.base.multicall3]).toEqual([multicall3, multicall3Address])
})

test('refuses a chain without the wrapped native token, before any transaction', async () => {
  const elsewhere = { ...network, wrappedNative: stranger.address } as const
  const deploying = deployContracts(connect(), elsewhere, plan, { dryRun: true, log })
  await expect(deploying).rejects.toThrow(`wrappedNative: the chain has no code at ${stranger.address}`)
})

test('refuses other code at an address, and a node of another chain', async () => {
  lines = []
  const other = planContracts({ salt: 'other', manager: operator.address, wrappedNative: network.wrappedNative })
  const address = other.addresses.hooksTrampoline
  await local.chain.setCode({ address, bytecode: '0x6001' })
  await expect(deployContracts(connect(), network, other, { dryRun: false, log })).rejects.toThrow(
    `hooks trampoline: the code at ${address} is another`,
  )
  await expect(deployContracts(connect(), networks.base, plan, { dryRun: true, log })).rejects.toThrow(
    'the node has chain id 11155111, not 8453',
  )
})

test('the manager adds, lists and removes solvers', async () => {
  const own = { settlementContract: plan.addresses.settlement }
  lines = []
  const solvers = [solver.address]
  await manageSolvers(connect(), own, 'add', solvers, log)
  await manageSolvers(connect(), own, 'add', solvers, log)
  await manageSolvers(connect(stranger), own, 'list', solvers, log)
  await manageSolvers(connect(), own, 'remove', solvers, log)
  await manageSolvers(connect(), own, 'list', solvers, log)
  expect(lines.map((line) => line.split(': ')[1])).toEqual(['added', 'allowed', 'allowed', 'removed', 'not allowed'])
  await expect(manageSolvers(connect(stranger), own, 'add', solvers, log)).rejects.toThrow(/manages the solvers/)
  const nowhere = { settlementContract: stranger.address }
  await expect(manageSolvers(connect(), nowhere, 'list', solvers, log)).rejects.toThrow(
    `the chain has no code at ${stranger.address}: CONTRACTS in the settings names its contracts`,
  )
})

test('the written setting is read back as own contracts', () => {
  const dir = mkdtempSync(join(tmpdir(), 'edgebook-contracts-'))
  try {
    const file = join(dir, '.env.sepolia')
    const written = { CONTRACTS: JSON.stringify(plan.addresses) }
    writeSettings(file, written)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    writeFileSync(file, 'RPC_URL=http://a\nCONTRACTS=canonical\nSOLVERS=[]\n')
    writeSettings(file, written)
    const text = readFileSync(file, 'utf8')
    expect(text.split('\n')).toHaveLength(4)
    const { RPC_URL, CONTRACTS } = parseEnv(text)
    expect(RPC_URL).toBe('http://a')
    const { sepolia } = readNetworks(JSON.stringify({ sepolia: { contracts: JSON.parse(CONTRACTS ?? '') } }))
    expect(sepolia).toMatchObject({ contractSet: 'own', settlementContract: plan.addresses.settlement })
  } finally {
    rmSync(dir, { recursive: true })
  }
})

test('a missing or malformed key is refused without printing it', () => {
  expect(() => readOperatorKey({})).toThrow(/set OPERATOR_PRIVATE_KEY/)
  expect(() => readOperatorKey({ OPERATOR_PRIVATE_KEY: '0xabc' })).toThrow(/^(?!.*0xabc)/)
})
