import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stop as stopBundler } from 'esbuild'
import type { NetworkName } from '#shared/networks.ts'
import type { Environment } from '../deploy/environment.ts'
import { findVersion } from '../deploy/findVersion.ts'
import { type DeploymentSettings, readSettings } from '../deploy/readSettings.ts'
import { diagnose } from '../doctor/diagnose.ts'
import type { DoctorFinding } from '../doctor/finding.ts'
import { joinFindings } from '../doctor/joinFindings.ts'
import { readDiagnosisTarget } from '../doctor/readDiagnosisTarget.ts'
import { toLines } from '../doctor/toLines.ts'
import type { Reaper } from '../stack/processes/startReaper.ts'
import { buildWorkers } from '../workers/buildWorkers.ts'
import { bundleWorkers } from '../workers/bundleWorkers.ts'
import { readWorkerConfigs } from '../workers/readWorkerConfigs.ts'
import { type Databases, openDatabases } from './openDatabases.ts'
import { planRelease } from './planRelease.ts'
import { startRuntime } from './startRuntime.ts'
import { writeRuntime } from './writeRuntime.ts'

const root = join(import.meta.dirname, '../..')

export type PreparedRelease = {
  networks: readonly NetworkName[]
  databases: Databases
  /** path of the configuration of workerd */
  config: string
  close: () => Promise<void>
}

/**
 * Checks everything that `npm run doctor` checks, migrates the databases, builds the Workers, and tries them when
 * another release serves. A restart of what was accepted before reports faults of nodes and contracts and serves what
 * works; everything else refuses them.
 * @param options.cwd folder of the settings files
 * @param options.dir folder of the service
 * @param options.proxies addresses that may state the address of their client
 * @throws Error when it cannot serve
 */
export const prepareRelease = async (options: {
  cwd: string
  dir: string
  proxies: readonly string[]
  networks: readonly NetworkName[]
  environment: Environment
  isUpgrade: boolean
  reaper: Reaper
  variables: NodeJS.ProcessEnv
}): Promise<PreparedRelease> => {
  const { cwd, dir, proxies, networks, environment, isUpgrade, reaper, variables } = options
  const read = readSettings(cwd, environment, variables)
  const settings: DeploymentSettings = {
    ...read,
    networks: new Map([...read.networks].filter(([name]) => networks.includes(name))),
  }
  const targets = await Promise.all(
    networks.map(async (network) => ({
      network,
      ...(await readDiagnosisTarget({ root, dir: cwd, network, environment, variables, networks })),
    })),
  )
  refuse(joinFindings(new Map(targets.map(({ network, findings }) => [network, findings]))))

  const releases = join(dir, 'releases')
  // killed ones are left
  if (!isUpgrade) await rm(releases, { recursive: true, force: true })
  const folder = join(releases, String(process.pid))
  await mkdir(folder, { recursive: true })
  const databases = await openDatabases(settings)
  const close = async (): Promise<void> => {
    await databases.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    refuse(await databases.migrate())
    const version = await findVersion(root)
    const accepted = join(dir, 'accepted')
    const identity = hash(JSON.stringify([version, networks, settings.shared, [...settings.networks]]))
    const isKnown = (await readFile(accepted, 'utf8').catch(() => '')) === identity
    const found = await Promise.all(
      targets.map(async ({ network, target }) => {
        const findings = await diagnose(network, {
          ...target,
          place: 'here',
          databaseUrls: target.databaseUrls.map(databases.toEndpoint),
          rowRoleUrls: target.rowRoleUrls?.map(databases.toEndpoint),
        })
        return [network, findings] as const
      }),
    )
    refuse(joinFindings(new Map(found)), isKnown && !isUpgrade)
    await writeFile(accepted, identity)

    const [bases, bundles] = await Promise.all([buildBases(), bundlePlatform(folder)])
    // its process holds hundreds of MiB
    await stopBundler()
    const workers = planRelease({ bases, settings: databases.replace(settings), environment, networks, version })
    const config = await writeRuntime({ dir, folder, workers, bundles, bases, proxies })
    if (isUpgrade) await tryRuntime({ folder, config, reaper })
    return { networks, databases, config, close }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

const buildBases = async () => buildWorkers(root, await readWorkerConfigs(root))

/** Bundles of what workerd lacks. */
const bundlePlatform = (folder: string) => {
  const sources = join(import.meta.dirname, 'platform')
  const names = ['platform', 'combine', 'limiter'] as const
  const mains = Object.fromEntries(names.map((name) => [name, join(sources, `${name}.ts`)]))
  return bundleWorkers(mains as Record<(typeof names)[number], string>, join(folder, 'platform'))
}

/** Whether the Workers start, with empty storage and without requests. */
const tryRuntime = async (options: { folder: string; config: string; reaper: Reaper }): Promise<void> => {
  const { folder, config, reaper } = options
  const storage = join(folder, 'trial')
  await mkdir(storage, { recursive: true })
  const runtime = await startRuntime({ config, storage, reaper })
  await runtime.kill()
}

/**
 * Prints findings as the doctor does.
 * @param isTolerant serves nevertheless
 * @throws Error when something is wrong
 */
const refuse = (findings: readonly DoctorFinding[], isTolerant = false): void => {
  const faults = findings.filter(({ state }) => state !== 'ok')
  for (const line of toLines(faults)) console.error(line)
  const wrong = faults.filter(({ state }) => state === 'wrong').length
  if (wrong > 0 && !isTolerant) throw new Error(`${wrong} wrong: npm run doctor shows the same`)
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
