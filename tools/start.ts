import './networks/loadLocalNetworks.ts'

import { once } from 'node:events'
import type { Address } from 'viem'
import { solverUrlSchema } from '#shared/solvers/solverList.ts'
import { readCommand } from './command/readCommand.ts'
import { runMain } from './command/runMain.ts'
import { readNetwork } from './deploy/readNetwork.ts'
import { defaultHarshOptions, type HarshOptions } from './stack/chain/harsh/harshOptions.ts'
import { type Stack, startStack } from './stack/startStack.ts'

const command = {
  run: 'npm start',
  about: `Runs the whole system on this machine until Ctrl-C: database, chain, contracts, Workers and two solvers.
PORT, RPC_PORT, DB_PORT and SINKS_PORT choose the ports (0: a free one). DATABASE_URL names another database.`,
  options: {
    fresh: { type: 'boolean', default: false, about: 'delete the data of earlier runs' },
    chain: {
      type: 'string',
      default: 'kind',
      value: 'kind|harsh',
      about: 'harsh: blocks at an interval, competing traders and a node that lags and fails',
    },
    network: {
      type: 'string',
      default: 'sepolia',
      value: 'name',
      about: 'the network that the chain stands for: name, alias or chain id',
    },
    seed: { type: 'string', default: String(defaultHarshOptions.seed), value: 'n', about: 'choices of a harsh chain' },
    'block-time': { type: 'string', value: 'seconds', about: 'block time of a harsh chain, else that of the network' },
    dir: { type: 'string', default: '.edgebook', value: 'folder', about: 'data and logs' },
    limits: { type: 'boolean', default: false, about: 'apply the rate limits of production' },
    solver: { type: 'string', multiple: true, value: 'name=0x…@http://…', about: 'another solver' },
    engine: { type: 'string', multiple: true, value: 'name@http://…', about: 'a solver engine, settled by the stack' },
    verbose: { type: 'boolean', default: false, about: 'print the logs of the Workers' },
  },
} as const

/** Starts the stack and stops it on a signal. */
const main = async (): Promise<void> => {
  const { values } = readCommand(command)
  const began = Date.now()
  const interruption = new AbortController()
  const interrupted = once(interruption.signal, 'abort')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      // A second signal exits at once: the reaper ends the children.
      if (interruption.signal.aborted) process.exit(130)
      console.log('stopping …')
      interruption.abort()
    })

  const stack = await startStack({
    dir: values.dir,
    fresh: values.fresh,
    networks: [readNetwork([values.network], '--network')],
    ...readChain(values.chain, values.seed, values['block-time']),
    follow: true,
    rateLimits: values.limits ? true : [],
    extraSolvers: (values.solver ?? []).map(readSolver),
    engines: (values.engine ?? []).map(readEngine),
    port: readPort('PORT', 8787),
    rpcPort: readPort('RPC_PORT', 8545),
    dbPort: readPort('DB_PORT', 5433),
    sinksPort: readPort('SINKS_PORT', 8790),
    databaseUrl: process.env.DATABASE_URL || undefined,
    log: (line) => {
      if (values.verbose || !line.startsWith('[')) console.log(line)
    },
    signal: interruption.signal,
  }).catch((error: unknown) => {
    if (!interruption.signal.aborted) throw error
  })
  if (!stack) return
  print(stack, values.dir, Date.now() - began)
  const reason = await Promise.race([stack.failed, interrupted.then(() => undefined)])
  await stack.stop()
  if (reason) throw new Error(reason)
}

/** `kind`: a block for each transaction; `harsh`: blocks at an interval, with competing traders. */
const readChain = (chain: string, seed: string, blockTime: string | undefined): { harsh?: HarshOptions } => {
  if (chain === 'kind') return {}
  if (chain !== 'harsh') throw new Error(`--chain ${chain} is not kind or harsh`)
  const blockSeconds = blockTime === undefined ? undefined : Number(blockTime)
  if (blockSeconds !== undefined && !(blockSeconds > 0)) throw new Error(`--block-time ${blockTime} is not positive`)
  if (!/^\d{1,9}$/.test(seed)) throw new Error(`--seed ${seed} is not a whole number`)
  return { harsh: { ...defaultHarshOptions, seed: Number(seed), blockSeconds } }
}

/** `name=0x…@http://…`: name, settling account and URL of an additional driver. */
const readSolver = (text: string): { name: string; address: Address; url: string } => {
  const [, name = '', address = '', url = ''] = text.match(/^([\w-]+)=(0x[0-9a-fA-F]{40})@(https?:\/\/\S+)$/) ?? []
  if (!url) throw new Error(`--solver ${text} is not name=0x…@http://…`)
  return { name, address: address.toLowerCase() as Address, url: readSolverUrl(`--solver ${text}`, url) }
}

/** `name@http://…`: name and URL of a solver engine. */
const readEngine = (text: string): { name: string; url: string } => {
  const [, name = '', url = ''] = text.match(/^([a-z0-9-]{1,20})@(https?:\/\/\S+)$/) ?? []
  if (!url) throw new Error(`--engine ${text} is not name@http://…, the name in lower case`)
  return { name, url: readSolverUrl(`--engine ${text}`, url) }
}

const readSolverUrl = (option: string, text: string): string => {
  const { data, error } = solverUrlSchema.safeParse(text)
  if (data === undefined) throw new Error(`${option} is not ${error?.issues[0]?.message}`)
  return data
}

const readPort = (name: string, fallback: number): number => {
  const text = process.env[name]
  if (!text) return fallback
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${name}=${text} is not a port`)
  return port
}

const print = ({ info }: Stack, dir: string, tookMs: number): void => {
  const row = (name: string, ...cells: string[]) => `  ${name.padEnd(12)}${cells.join('  ')}`
  const lines = [
    `edgebook is ready after ${(tookMs / 1000).toFixed(1)} s`,
    '',
    row('API', `${info.baseUrl}/${info.network}/api/v1`),
    row('console', `${info.baseUrl}/  (in a browser)`),
    row('messages', `${info.sinksUrl}  (delivered notifications)`),
    row('chain', `${info.rpcUrl}  (chain id ${info.chainId})`),
    row('database', info.databaseUrl),
    row('folder', `${dir}  (stack.json, logs/)`),
    '',
    ...Object.entries(info.tokens).map(([symbol, token]) => row(symbol, token.address, `${token.decimals} decimals`)),
    row('settlement', info.contracts.settlement),
    row('relayer', info.contracts.vaultRelayer),
    '',
    ...info.accounts.map(({ address, privateKey }, index) => row(`account ${index}`, address, privateKey)),
    ...info.solvers.map(({ name, address }) => row(`solver`, address, name)),
    '',
    'npm run demo trades on it; Ctrl-C stops everything, the next npm start continues.',
  ]
  console.log(lines.join('\n'))
}

await runMain(main, { exits: true })
