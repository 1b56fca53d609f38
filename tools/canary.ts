import type { Hex } from 'viem'
import { findExcess } from './canary/findExcess.ts'
import { fundCanary } from './canary/fundCanary.ts'
import { tradeCanary } from './canary/tradeCanary.ts'
import { readCommand } from './command/readCommand.ts'
import { readAddress, readAtoms } from './command/readOptions.ts'
import { runMain } from './command/runMain.ts'
import { connectOperator } from './contracts/connectOperator.ts'

const command = {
  run: 'npm run canary',
  about: `Trades one small order over the public API of a deployment, and prints its times as a line of JSON.
Exit code 1 when it does not fill, or takes longer than a limit. CANARY_PRIVATE_KEY is the key of an account that holds
the sell token and has approved the vault relayer, or of one with native tokens and --rpc; each run costs its fees.`,
  positionals: { '<url>': 'of the deployment', '<network>': 'its name in the paths of the deployment' },
  options: {
    sell: { type: 'string', default: '', value: 'token', about: 'address; by default the wrapped native token' },
    buy: { type: 'string', default: '', value: 'token', about: 'address, required' },
    rpc: { type: 'string', default: '', value: 'url', about: 'node: wraps and approves what the account sells' },
    amount: { type: 'string', default: '1000000000000000', value: 'atoms', about: 'of the sell token, with all fees' },
    quote: { type: 'string', default: '3000', value: 'ms', about: 'limit of the quote' },
    placement: { type: 'string', default: '1000', value: 'ms', about: 'limit of the placement' },
    fill: { type: 'string', default: '120', value: 'seconds', about: 'limit of the fill' },
  },
} as const

/** Whether the order filled within the limits. */
const main = async (): Promise<boolean> => {
  const { values, positionals } = readCommand(command)
  const [url, network, ...others] = positionals
  if (!url || !network || others.length > 0) throw new Error(`${command.run} -- <url> <network>; see --help`)
  const key = process.env.CANARY_PRIVATE_KEY ?? ''
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw new Error('set CANARY_PRIVATE_KEY to a private key: 0x and 64 hex digits')
  const limits = {
    quoteMs: readWhole('--quote', values.quote),
    placementMs: readWhole('--placement', values.placement),
    fillMs: readWhole('--fill', values.fill) * 1_000,
  }
  const times = await tradeCanary({
    baseUrl: new URL(url).href.replace(/\/$/, ''),
    network,
    privateKey: key as Hex,
    sellToken: values.sell === '' ? undefined : readAddress('--sell', values.sell),
    buyToken: readAddress('--buy', values.buy),
    amount: readAtoms('--amount', values.amount),
    timeoutSeconds: limits.fillMs / 1_000,
    ...(values.rpc && {
      prepare: (sale) => {
        const chain = { chainId: sale.chainId, label: network, nativeSymbol: '', blockTimeSeconds: 2 }
        return fundCanary(connectOperator(values.rpc, chain, key as Hex), sale)
      },
    }),
  })
  const excess = findExcess(times, limits)
  console.log(JSON.stringify({ ...times, time: new Date().toISOString(), error: times.error ?? excess }))
  return times.error === null && excess === null
}

const readWhole = (name: string, text: string): number => {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new Error(`${name}: a positive whole number; got ${text}`)
}

await runMain(main)
