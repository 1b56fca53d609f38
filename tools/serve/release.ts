/**
 * Program: one release of `npm run serve`. It checks and migrates, reports `prepared`, and serves after the message
 * `run` until SIGTERM. Descriptor 4 is the listening socket.
 */
import '../networks/loadOperatorNetworks.ts'

import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { runMain } from '../command/runMain.ts'
import { readEnvironment } from '../deploy/environment.ts'
import { readNetwork } from '../deploy/readNetwork.ts'
import { startReaper } from '../stack/processes/startReaper.ts'
import { log } from './log.ts'
import { prepareRelease } from './prepareRelease.ts'
import { runRelease } from './runRelease.ts'
import type { ReleaseState } from './supervise.ts'

const socket = 4

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      staging: { type: 'boolean', default: false },
      upgrade: { type: 'boolean', default: false },
      port: { type: 'string', default: '' },
      dir: { type: 'string', default: '' },
      proxy: { type: 'string', default: '' },
    },
  })
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
  process.on('SIGHUP', () => undefined)
  // the reaper ends what this process leaves behind
  process.on('disconnect', () => process.exit(1))
  const run = once(process, 'message')
  const reaper = startReaper()
  const release = await prepareRelease({
    cwd: process.cwd(),
    dir: values.dir,
    proxies: values.proxy.split(','),
    networks: positionals.map((name) => readNetwork([name], 'npm run serve')),
    environment: readEnvironment(values.staging),
    isUpgrade: values.upgrade,
    reaper,
    variables: process.env,
  })
  const report = (state: ReleaseState) => process.send?.(state)
  report('prepared')
  await Promise.race([run, once(stopping.signal, 'abort')])
  if (!stopping.signal.aborted)
    await runRelease({ ...release, port: Number(values.port), socket, reaper, signal: stopping.signal }, () =>
      report('ready'),
    )
  await release.close()
  reaper.close()
  log({ message: 'stopped' })
}

await runMain(main, { exits: true })
