import './networks/loadOperatorNetworks.ts'

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import type { z } from 'zod'
import { describeError } from '#shared/http/describeError.ts'
import { databaseUrlSchema, nodeUrlsSchema } from '#shared/networks/networkSettings.ts'
import { findNetworkOf } from '#shared/networks.ts'
import { fundCanary } from './canary/fundCanary.ts'
import { tradeCanary } from './canary/tradeCanary.ts'
import { readCommand } from './command/readCommand.ts'
import { readAddress, readAtoms } from './command/readOptions.ts'
import { runMain } from './command/runMain.ts'
import { connectOperator, type OperatorChain, readOperatorKey } from './contracts/connectOperator.ts'
import { readSolverDeployments } from './deploy/readSolverDeployments.ts'
import { createDatabase } from './newChain/createDatabase.ts'
import { createTestTokens } from './newChain/createTestTokens.ts'
import { findBlockTime, findExchanges, findToken, isV2Factory } from './newChain/findChainFacts.ts'
import { fundSolvers } from './newChain/fundSolvers.ts'
import { addSettings, createSecrets, readChainSettings, writeEntry } from './newChain/writeChain.ts'

const command = {
  run: 'npm run new-chain',
  about: `Brings an exchange to a chain: entry of networks.json, settings, contracts, solvers, database, service, first trade.
It takes what it needs from the options, or asks on a terminal. A second run continues a failed one, and changes nothing
that is there. OPERATOR_PRIVATE_KEY is the key of the account that pays, manages the solvers and makes the first trade.`,
  positionals: { '<chain id>': 'as the node says it' },
  options: {
    rpc: { type: 'string', default: '', value: 'url', about: 'node of the chain, or several separated by commas' },
    name: { type: 'string', default: '', value: 'name', about: 'name in paths; default: chain_<chain id>' },
    wrapped: { type: 'string', default: '', value: '0x…', about: 'wrapped native token' },
    usd: { type: 'string', default: '', value: '0x…', about: 'token of a dollar' },
    symbol: { type: 'string', default: '', value: 'text', about: "native token; default: the wrapped one's without W" },
    'block-time': { type: 'string', default: '', value: 'seconds', about: 'default: measured' },
    'v2-factory': {
      type: 'string',
      default: '',
      value: '0x…',
      about: 'factory of Uniswap V2; default: found by its code',
    },
    'test-tokens': {
      type: 'boolean',
      default: false,
      about: 'for a try on anvil: creates a wrapped native token, a dollar token and pools, and takes them',
    },
    database: {
      type: 'string',
      default: '',
      value: 'url',
      about: 'connection string; npm run serve: a database that is missing is created',
    },
    url: {
      type: 'string',
      default: '',
      value: 'url',
      about: 'of the gateway for clients; default: http://127.0.0.1:<port>',
    },
    port: { type: 'string', default: '8787', value: 'n', about: 'port of the gateway on this machine' },
    deploy: { type: 'boolean', default: false, about: 'npm run deploy instead of npm run serve' },
    anyway: {
      type: 'boolean',
      default: false,
      about: 'with --deploy: although a check of npm run doctor is wrong',
    },
    amount: { type: 'string', default: '1000000000000000', value: 'wei', about: 'that the first trade sells' },
    'dry-run': { type: 'boolean', default: false, about: 'print entry, addresses and costs; write and send nothing' },
  },
} as const

type Values = ReturnType<typeof readCommand<typeof command.options>>['values']

const main = async (): Promise<boolean> => {
  const { values, positionals } = readCommand(command)
  const chainId = Number(positionals[0])
  if (!Number.isSafeInteger(chainId) || chainId <= 0 || positionals.length > 1)
    throw new Error(`${command.run} -- <chain id> --rpc <url>; see --help`)
  const known = findNetworkOf(chainId)
  const name = known?.name ?? (values.name || `chain_${chainId}`)
  const amount = readAtoms('--amount', values.amount)
  const dryRun = values['dry-run']
  const cwd = process.cwd()
  const before = readChainSettings(cwd, name)
  const rpcUrl = before.own.RPC_URL ?? (await ask('rpc', values.rpc, 'URL of a node'))
  checkOption('rpc', values.rpc, rpcUrl, nodeUrlsSchema)
  const key = readOperatorKey(process.env)
  const facts = { chainId, label: known?.label ?? name, nativeSymbol: known?.nativeSymbol ?? '', blockTimeSeconds: 1 }
  const chain = connectOperator(rpcUrl.split(',')[0] ?? '', facts, key)
  const served = await chain.getChainId()
  if (served !== chainId) throw new Error(`the node serves chain ${served}, not ${chainId}`)

  log(`1. network ${name}`)
  const entry = known
    ? undefined
    : await buildEntry(chain, { chainId, label: name }, await findTokens(rpcUrl, chainId, values))
  log(entry ? JSON.stringify(entry, null, 2) : '  its entry is there')
  const databaseUrl =
    before.own.DATABASE_URL ??
    before.shared.DATABASE_URL ??
    (await ask('database', values.database, 'connection string of Postgres'))
  checkOption('database', values.database, databaseUrl, databaseUrlSchema)
  const url = values.url || before.shared.PUBLIC_URL || findUrl(before.shared, values)

  // a dry run works in a folder of its own
  const dir = dryRun ? mkdtempSync(join(tmpdir(), 'edgebook-new-chain-')) : cwd
  try {
    if (dryRun) addSettings(dir, name, before)
    if (entry) writeEntry(dir, name, entry)
    const secrets = before.own.SOLVERS ? {} : createSecrets()
    const shared = { DATABASE_URL: databaseUrl, ...(before.shared.DOMAIN ? {} : { PUBLIC_URL: url }) }
    addSettings(dir, name, { shared, own: { RPC_URL: rpcUrl, ...secrets } })
    log(`2. settings: .env.shared and .env.${name}${dryRun ? ' (not written)' : ''}; docs/settings.md has all of them`)

    log('3. contracts')
    await run(dir, 'contracts', name, ...(dryRun ? ['--dry-run'] : []))
    log('4. solvers')
    const { own } = readChainSettings(dir, name)
    const solvers = readSolverDeployments(own).solvers.map(({ address }) => address as Address)
    await fundSolvers(chain, solvers, { dryRun, symbol: entry?.nativeSymbol ?? facts.nativeSymbol, log })
    if (dryRun) {
      log(`\ndry run: then it would create the database, ${values.deploy ? 'deploy' : 'serve'}, and sell ${amount} wei`)
      return true
    }
    await run(dir, 'solvers', name, 'add')
  } finally {
    if (dryRun) rmSync(dir, { recursive: true, force: true })
  }
  // Neon creates its own
  if (!values.deploy) {
    const isNew = await createDatabase(databaseUrl).catch((error) => {
      throw new Error(`DATABASE_URL in .env.shared: ${describeError(error)}`)
    })
    log(`5. database: ${isNew ? 'created' : 'is there'}`)
  }
  log(`6. ${values.deploy ? 'deployment' : 'service'}`)
  const service = values.deploy ? await deploy(name, url, values.anyway) : await serve(name, url, values.port)
  log('7. first trade')
  const buyToken = entry?.usdReference.address ?? known?.usdReference.address
  try {
    await trade({ chain, name, url, buyToken, amount })
  } catch (error) {
    service?.kill('SIGTERM')
    throw error
  }
  log(describeRest(name, values.deploy))
  return service ? (await once(service, 'exit'))[0] === 0 : true
}

const log = (line: string): void => console.log(line)

/** The value of an option; without one a person's, on a terminal. */
const ask = async (option: string, value: string, question: string, fallback?: string): Promise<string> => {
  if (value !== '') return value
  if (process.stdin.isTTY) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    const answer = (await terminal.question(`${question}${fallback ? ` [${fallback}]` : ''}: `)).trim()
    terminal.close()
    if (answer) return answer
  }
  if (fallback !== undefined) return fallback
  throw new Error(`--${option} is missing: ${question}`)
}

/** @throws Error when the value in use is malformed, or is not that of the option because a file has another one */
const checkOption = (option: string, given: string, used: string, schema: z.ZodType): void => {
  const { error } = schema.safeParse(used)
  if (error) throw new Error(`--${option}: ${error.issues[0]?.message}`)
  if (given !== '' && given !== used)
    throw new Error(`--${option} is not what the settings files have: change them, or leave the option out`)
}

/** The options, with the tokens of `--test-tokens`. */
const findTokens = async (rpcUrl: string, chainId: number, values: Values): Promise<Values> => {
  if (!values['test-tokens']) return values
  const { wrapped, usd, factory } = await createTestTokens(rpcUrl, chainId)
  return { ...values, wrapped, usd, 'v2-factory': factory }
}

/** The gateway's address for clients. @throws Error when a deployment has neither `DOMAIN` nor `--url` */
const findUrl = ({ DOMAIN }: Record<string, string>, { deploy, port }: Values): string => {
  if (!deploy) return `http://127.0.0.1:${port}`
  if (DOMAIN) return `https://${DOMAIN}`
  throw new Error('--url is missing: https://edgebook-gateway.<name>.workers.dev; or set DOMAIN in .env.shared')
}

/** The entry of docs/networks.md, from the chain and the options. */
const buildEntry = async (chain: OperatorChain, names: { chainId: number; label: string }, values: Values) => {
  const wrappedNative = readAddress(
    '--wrapped',
    await ask('wrapped', values.wrapped, 'address of the wrapped native token'),
  )
  const wrapped = await findToken(chain, wrappedNative)
  if (!wrapped) throw new Error(`--wrapped: ${wrappedNative} is no token on this chain`)
  const usd = readAddress('--usd', await ask('usd', values.usd, 'address of a dollar token'))
  const dollar = await findToken(chain, usd)
  if (!dollar) throw new Error(`--usd: ${usd} is no token on this chain`)
  const given = values['v2-factory'] && readAddress('--v2-factory', values['v2-factory'])
  if (given && !(await isV2Factory(chain, given))) throw new Error(`--v2-factory: ${given} is no factory of Uniswap V2`)
  const exchanges = { ...(await findExchanges(chain)), ...(given ? { uniswapV2Factory: given } : {}) }
  if (!exchanges.uniswapV2Factory && !exchanges.uniswapV3)
    log(
      '  no Uniswap found: the reference solver has no pools until `uniswapV2Factory` or `uniswapV3` is in networks.json',
    )
  const measured = await findBlockTime(chain)
  const blockTimeSeconds = Number(
    await ask('block-time', values['block-time'], 'seconds between blocks', String(measured ?? 2)),
  )
  if (!(blockTimeSeconds > 0)) throw new Error('--block-time: seconds above 0')
  return {
    ...names,
    nativeSymbol: values.symbol || wrapped.symbol.replace(/^W(?=.)/, '') || 'ETH',
    wrappedNative,
    usdReference: { address: usd, decimals: dollar.decimals },
    ...exchanges,
    blockTimeSeconds,
  }
}

const start = (dir: string, script: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, `${script}.ts`), ...args], {
    cwd: dir,
    stdio: ['ignore', 'inherit', 'inherit'],
  })

/** Runs another command of the operator. */
const run = async (dir: string, script: string, ...args: string[]): Promise<void> => {
  const [code] = await once(start(dir, script, args), 'exit')
  if (code !== 0) throw new Error(`npm run ${script} failed: run this command again when its reason is gone`)
}

/** A new address takes a while until it is known everywhere. */
const deploymentTimeoutMs = 180_000

const deploy = async (name: string, url: string, anyway: boolean): Promise<undefined> => {
  await run(process.cwd(), 'deploy', name, ...(anyway ? ['--anyway'] : []))
  const deadline = Date.now() + deploymentTimeoutMs
  while (!(await isReady(url, name))) {
    if (Date.now() > deadline) throw new Error(`${url}/${name}/api/v1/ready is not 200: see ${url}/readyz`)
    await sleep(1_000)
  }
}

const isReady = (url: string, name: string): Promise<boolean> =>
  fetch(`${url}/${name}/api/v1/ready`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Serves, unless a gateway serves the network at the URL already. @returns the service that was started */
const serve = async (name: string, url: string, port: string): Promise<ChildProcess | undefined> => {
  if (await isReady(url, name)) return undefined
  const others = await findServed(url)
  if (others.length > 0) {
    const command = `npm run serve -- ${[...others, name].join(' ')}`
    throw new Error(`${url} serves other networks: end it, start \`${command}\`, and run this command again`)
  }
  const child = start(process.cwd(), 'serve', [name, '--port', port])
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  while (!(await isReady(url, name))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('npm run serve ended: see above')
    await sleep(1_000)
  }
  return child
}

/** Names of the networks that a gateway serves; empty without a gateway. */
const findServed = async (url: string): Promise<string[]> => {
  try {
    const index = await fetch(`${url}/`, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(5_000),
    })
    const { networks } = (await index.json()) as { networks: { name: string }[] }
    return networks.map((network) => network.name)
  } catch {
    return []
  }
}

const trade = async (options: {
  chain: OperatorChain
  name: string
  url: string
  buyToken: Address | undefined
  amount: bigint
}): Promise<void> => {
  const { chain, name, url, buyToken, amount } = options
  if (!buyToken) throw new Error('no dollar token')
  const times = await tradeCanary({
    ...{ baseUrl: url.replace(/\/$/, ''), network: name, privateKey: readOperatorKey(process.env), buyToken, amount },
    timeoutSeconds: 180,
    prepare: (sale) => fundCanary(chain, sale),
  })
  log(JSON.stringify(times))
  if (times.error !== null) throw new Error(`the first trade failed: ${times.error}`)
}

const describeRest = (name: string, isDeployed: boolean): string =>
  `
What is left:
- store .env.shared, .env.${name} and networks.json in a vault: they have the solvers' keys
- ${isDeployed ? `npm run deploy -- ${name} deploys again` : `Ctrl-C ends it, and npm run serve -- ${name} serves again, beside the other networks of the gateway`}
- native tokens for the accounts of the solvers: what they got lasts for the first settlements
- npm run doctor -- ${name}: what is limited without further methods of the node
- ${isDeployed ? 'DOMAIN in .env.shared: a host of your own (docs/deploy.md)' : 'a reverse proxy with TLS, a service and backups (docs/selfhost.md)'}
- PUBLIC_RPC_URLS in .env.shared: a public node for visitors' wallets
- alerts and a canary (docs/operations.md), npm run refunds -- ${name} for expired orders of the native token
- external solvers: docs/solvers.md; fees of the protocol: docs/fees.md
`

await runMain(main)
