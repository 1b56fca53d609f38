import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { connectOperator } from '../contracts/connectOperator.ts'
import { findPayments } from './findPayments.ts'
import { findUnindexedSettlements } from './findUnindexedSettlements.ts'
import { payFees } from './payFees.ts'

const network = networks.sepolia
const { wrappedNative: token, settlementContract } = network
const [partner, treasury]: [Address, Address] = [`0x${'b1'.repeat(20)}`, `0x${'d1'.repeat(20)}`]
let chain: SettlementChain
const lines: string[] = []
const log = (line: string) => lines.push(line)

beforeAll(async () => {
  chain = await startSettlementChain()
  await sendFrom(chain.chain, chain.owner, { to: token, value: 100n, data: '0xd0e30db0' })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [settlementContract, 100n] })
  await sendFrom(chain.chain, chain.owner, { to: token, data })
})
afterAll(() => chain?.stop())

const connect = (privateKey: `0x${string}`) =>
  connectOperator(chain.rpcUrl, { ...network, blockTimeSeconds: 0.1 }, privateKey)
const solverKey = () => devAccounts.find(({ address }) => address.toLowerCase() === chain.solver)?.privateKey ?? '0x'
const balanceOf = (account: Address) =>
  chain.client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [account] })

test('partners and the protocol are paid in one settlement, whose transfers are the payments', async () => {
  const payouts = [
    { to: partner, token, amount: 30n },
    { to: treasury, token, amount: 70n },
    // more than the contract has
    { to: treasury, token, amount: 1_000n },
  ]
  const operator = connect(solverKey())
  await payFees(operator, network, payouts, { dryRun: true, log })
  expect(await balanceOf(partner)).toBe(0n)
  await payFees(operator, network, payouts, { dryRun: false, log })
  expect([await balanceOf(partner), await balanceOf(treasury)]).toEqual([30n, 70n])
  expect(lines.filter((line) => line.includes('left out'))).toHaveLength(2)
  const hash = lines.at(-1)?.match(/0x[0-9a-f]{64}/)?.[0] as `0x${string}`
  expect(await findPayments(operator, settlementContract, [hash, `0x${'77'.repeat(32)}`])).toEqual(payouts.slice(0, 2))
})

test('of two payments at the same time one is sent, and a later one counts it before it is indexed', async () => {
  const operator = connect(solverKey())
  await sendFrom(chain.chain, chain.owner, { to: token, value: 10n, data: '0xd0e30db0' })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [settlementContract, 10n] })
  await sendFrom(chain.chain, chain.owner, { to: token, data })
  const [indexed, before] = [Number(await operator.getBlockNumber()), await balanceOf(partner)]
  const nonce = await operator.getTransactionCount({ address: operator.account.address })
  const pay = () => payFees(operator, network, [{ to: partner, token, amount: 5n }], { nonce, dryRun: false, log })
  const results = await Promise.allSettled([pay(), pay()])
  await expect(pay()).rejects.toThrow(/nonce/i)
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  expect(await balanceOf(partner)).toBe(before + 5n)
  const hashes = await findUnindexedSettlements(operator, settlementContract, indexed)
  expect(await findPayments(operator, settlementContract, hashes)).toEqual([{ to: partner, token, amount: 5n }])
})

test.each<[string, Hex]>([
  // unless the sender of the transaction makes the call itself
  ['reverts only in a settlement', '0x323314600b5760006000fd5b00'],
  // 200,000 turns of a loop
  ['uses much gas', '0x620300005b600190038060045700'],
])('a token of a stranger that %s is left out, and the others are paid', async (_, bytecode) => {
  const hostile: Address = `0x${'f1'.repeat(20)}`
  await chain.chain.setCode({ address: hostile, bytecode })
  const before = await balanceOf(partner)
  await sendFrom(chain.chain, chain.owner, { to: token, value: 1n, data: '0xd0e30db0' })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [settlementContract, 1n] })
  await sendFrom(chain.chain, chain.owner, { to: token, data })
  const payouts = [
    { to: partner, token: hostile, amount: 1n },
    { to: partner, token, amount: 1n },
  ]
  await payFees(connect(solverKey()), network, payouts, { dryRun: false, log })
  expect(await balanceOf(partner)).toBe(before + 1n)
  expect(lines.findLast((line) => line.includes(hostile))).toContain('left out')
})

test('an account that may not settle is refused with the command that allows it', async () => {
  const stranger = connect(devAccounts[5].privateKey)
  const payouts = [{ to: partner, token, amount: 0n }]
  await expect(payFees(stranger, network, payouts, { dryRun: true, log })).rejects.toThrow(
    /may not settle: npm run solvers -- sepolia add 0x/,
  )
})
