import './networks/loadOperatorNetworks.ts'

import { type Address, createPublicClient, erc20Abi, http } from 'viem'
import { connectDatabase } from '#schema/client.ts'
import { selectBlocks } from '#schema/queries/chain/blocks.ts'
import { selectRecordedFees, selectTradelessSettlements } from '#schema/queries/settlements/fees.ts'
import { networks } from '#shared/networks.ts'
import { readCommand } from './command/readCommand.ts'
import { readAddress } from './command/readOptions.ts'
import { runMain } from './command/runMain.ts'
import { connectOperator, readOperatorKey } from './contracts/connectOperator.ts'
import { findNodeUrl } from './contracts/findNodeUrl.ts'
import { readEnvironment } from './deploy/environment.ts'
import { readNetwork } from './deploy/readNetwork.ts'
import { readSettings } from './deploy/readSettings.ts'
import { settingsFile } from './deploy/settingsFile.ts'
import { useDatabase } from './doctor/reachDatabases.ts'
import { compareBalances, computeOwed, computePayouts } from './fees/computeOwed.ts'
import { findPayments } from './fees/findPayments.ts'
import { findUnindexedSettlements } from './fees/findUnindexedSettlements.ts'
import { payFees } from './fees/payFees.ts'

const command = {
  run: 'npm run fees',
  about: `Prints the recorded fees of the protocol, of each partner and of each solver by token, what was paid of them, and the
balances of the settlement contract against what is owed. With pay it pays partners and sweeps the protocol's fees in one
settlement: OPERATOR_PRIVATE_KEY is the key of an account that may settle (npm run solvers).`,
  positionals: { '[pay]': 'pay instead of print', '<network>': 'name, alias or chain id' },
  options: {
    since: {
      type: 'string',
      default: '',
      value: 'date',
      about: 'fees from this time on, ISO 8601; balances are not compared',
    },
    until: { type: 'string', default: '', value: 'date', about: 'fees before this time' },
    to: { type: 'string', default: '', value: '0x…', about: "pay: receives the protocol's fees" },
    staging: { type: 'boolean', default: false, about: 'the staging environment of the network' },
    'dry-run': { type: 'boolean', default: false, about: 'pay: print the transfers and the cost, send nothing' },
  },
} as const

/** A report reads all settlements of its period. */
const statementTimeoutMs = 300_000

const main = async (): Promise<void> => {
  const { values, positionals } = readCommand(command)
  const isPaying = positionals[0] === 'pay'
  const name = readNetwork(isPaying ? positionals.slice(1) : positionals, command.run)
  if (isPaying && (values.since || values.until))
    throw new Error('pay settles all that is owed: without --since and --until')
  const environment = readEnvironment(values.staging)
  const network = networks[name]
  const { shared, networks: configured } = readSettings(process.cwd(), environment, process.env)
  const configuredUrl = configured.get(name)?.DATABASE_URL ?? shared.DATABASE_URL
  if (!configuredUrl) throw new Error(`DATABASE_URL is missing in ${settingsFile(name, environment)}`)
  const rpcUrl = findNodeUrl(process.cwd(), name, environment, process.env)
  return useDatabase(configuredUrl, async (url) => {
    const database = connectDatabase(url, statementTimeoutMs)
    const period = {
      from: readTime('since', values.since, new Date(0)),
      until: readTime('until', values.until, new Date()),
    }
    const operator = isPaying ? connectOperator(rpcUrl, network, readOperatorKey(process.env)) : undefined
    // read before all that is owed: of two payments at the same time the node accepts one
    const nonce = await operator?.getTransactionCount({ address: operator.account.address })
    const head = (await selectBlocks(database, network.chainId)).at(-1)
    if (!head) throw new Error('no block is indexed yet')
    const [recorded, hashes] = await Promise.all([
      selectRecordedFees(database, network.chainId, period),
      selectTradelessSettlements(database, network.chainId, period),
    ])
    const chain = createPublicClient({ transport: http(rpcUrl) })
    const unindexed = operator ? await findUnindexedSettlements(chain, network.settlementContract, head.number) : []
    const payments = await findPayments(chain, network.settlementContract, [...new Set([...hashes, ...unindexed])])
    const owed = computeOwed(recorded, payments)
    const tokens = [...new Set(owed.map(({ token }) => token))]
    const findBalances = async (blockNumber?: bigint) => {
      const balances = new Map<Address, bigint>()
      for (const address of tokens) {
        const read = { address, abi: erc20Abi, functionName: 'balanceOf', args: [network.settlementContract] } as const
        balances.set(
          address,
          await chain.readContract({ ...read, ...(blockNumber === undefined ? {} : { blockNumber }) }),
        )
      }
      return balances
    }
    if (operator) {
      const treasury = readAddress('--to', values.to)
      const { payouts, uncovered } = computePayouts(owed, await findBalances(), treasury)
      for (const token of uncovered)
        console.log(`${token}: the balance does not cover the partners' fees, none is paid`)
      return await payFees(operator, network, payouts, { nonce, dryRun: values['dry-run'], log: console.log })
    }
    console.log(`${name}, ${environment}: fees in atoms up to block ${head.number}`)
    for (const { party, account, token, amount, paid } of owed)
      console.log(
        `  ${token} ${party}${account ? ` ${account}` : ''}: ${amount} recorded, ${paid} paid, ${amount - paid} owed`,
      )
    if (values.since || values.until) return
    console.log('balances of the settlement contract')
    for (const { token, ...found } of compareBalances(owed, await findBalances(BigInt(head.number))))
      console.log(`  ${token}: ${found.balance}, owed ${found.owed}, difference ${found.difference}, ${found.why}`)
  })
}

const readTime = (option: string, text: string, fallback: Date): Date => {
  if (text === '') return fallback
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time
  throw new Error(`--${option}: a time such as 2026-11-01 or 2026-11-01T12:00Z; got ${text}`)
}

await runMain(main)
