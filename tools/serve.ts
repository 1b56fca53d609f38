import { mkdir } from 'node:fs/promises'
import { isIPv4, isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { readCommand } from './command/readCommand.ts'
import { runMain } from './command/runMain.ts'
import { readEnvironment, toEnvironmentName } from './deploy/environment.ts'
import { openSocket } from './serve/openSocket.ts'
import { supervise } from './serve/supervise.ts'
import { lockFolder } from './stack/folder/lockFolder.ts'

const command = {
  run: 'npm run serve',
  about: `Runs the release Workers of one or several networks on this machine, with their settings, nodes and contracts,
and any Postgres server. SIGHUP upgrades to the sources and settings that are here then; SIGTERM ends it.`,
  positionals: { '<network…>': 'names, aliases or chain ids' },
  options: {
    staging: { type: 'boolean', default: false, about: 'the staging environment of the networks' },
    port: { type: 'string', default: '8787', value: 'n', about: 'port of the gateway' },
    host: {
      type: 'string',
      default: '127.0.0.1',
      value: 'address',
      about: 'address of the gateway, for a reverse proxy with TLS',
    },
    proxy: {
      type: 'string',
      default: '127.0.0.1,::1',
      value: 'address,…',
      about: "from where the proxy connects: its X-Real-IP is the client's address, and others are clients themselves",
    },
    dir: {
      type: 'string',
      default: '',
      value: 'folder',
      about: 'queues, clocks and objects; default: .edgebook/serve',
    },
  },
} as const

/** Serves until a signal. */
const main = async (): Promise<void> => {
  const { values, positionals } = readCommand(command)
  if (positionals.length === 0) throw new Error(`${command.run} -- <network…>: no network`)
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`--port ${values.port} is not a port`)
  const dir = resolve(values.dir || `.edgebook/${toEnvironmentName('serve', readEnvironment(values.staging))}`)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const unlock = await lockFolder(dir)
  try {
    const socket = await openSocket({ host: values.host, port })
    const args = [
      ...positionals,
      '--port',
      values.port,
      '--dir',
      dir,
      '--proxy',
      readAddresses(values.proxy),
      ...(values.staging ? ['--staging'] : []),
    ]
    await supervise({ args, socket })
  } finally {
    await unlock()
  }
}

/** Addresses as workerd writes them. @throws Error when one is malformed */
const readAddresses = (text: string): string => {
  const toCanonical = (address: string): string => {
    if (isIPv4(address)) return address
    if (isIPv6(address)) return new URL(`http://[${address}]`).hostname.slice(1, -1)
    throw new Error(`--proxy: IP addresses separated by commas; got "${address}"`)
  }
  return text
    .split(',')
    .map((address) => toCanonical(address.trim()))
    .join(',')
}

await runMain(main, { exits: true })
