import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describeError } from '#shared/http/describeError.ts'
import type { NetworkName } from '#shared/networks.ts'
import { readRole } from '../migrations/grantRows.ts'
import { applyMigrations, findPendingMigrations } from '../stack/applyMigrations.ts'
import { buildWorkers } from '../workers/buildWorkers.ts'
import { readWorkerConfigs } from '../workers/readWorkerConfigs.ts'
import { writeWorkerConfigs } from '../workers/writeWorkerConfigs.ts'
import { adaptToAccount } from './adaptToAccount.ts'
import { createBucket } from './createBucket.ts'
import { createQueue } from './createQueue.ts'
import { deployWorker } from './deployWorker.ts'
import type { Environment } from './environment.ts'
import { findFaults, type SettingFault } from './findFaults.ts'
import { toGroup } from './findSettingsFaults.ts'
import { checkDeployment, type DeploymentCheck } from './gradual/checkDeployment.ts'
import { deployGradually } from './gradual/deployGradually.ts'
import { type BundleSize, maxBundleSize, measureBundle } from './measureBundle.ts'
import { type Plan, planDeployment } from './planDeployment.ts'
import { readSettings, type Settings } from './readSettings.ts'
import { type DeployStep, runSteps, toLine } from './runSteps.ts'
import { type RunWrangler, WranglerError } from './runWrangler.ts'

export type DeployOptions = {
  /** folder with wrangler.toml and functions/ */
  root: string
  /** folder with the settings files; receives the derived configurations */
  dir: string
  network: NetworkName
  environment: Environment
  /** dry run: needs no account, changes nothing, and reads only a configured database */
  dryRun: boolean
  /** shifts the traffic to the new versions in steps, with these checks of the gateway between them */
  gradual?: Omit<DeploymentCheck, 'url' | 'paths'> | undefined
  variables: NodeJS.ProcessEnv
  run: RunWrangler
  log: (line: string) => void
}

/**
 * `npm run deploy`: checks everything that can be known beforehand, prints the plan, and runs it.
 * @returns success; a dry run succeeds without settings too and lists the missing ones
 */
export const deploy = async (options: DeployOptions): Promise<boolean> => {
  const { root, dir, network, environment, dryRun, variables, run, log } = options
  log(`${network}, ${environment}${dryRun ? ': dry run, nothing is changed' : ''}`)
  const settings = readSettings(dir, environment, variables)
  const others = [...settings.networks.keys()].filter((name) => name !== network)
  const bases = await readWorkerConfigs(root)
  const version = await findVersion(root)
  const makePlan = async (deployed: readonly NetworkName[]): Promise<Plan> => {
    const built = await buildWorkers(root, bases)
    return planDeployment({ bases: built, settings, environment, network, others: deployed, version })
  }
  const check = options.gradual && toCheck(options.gradual, { network, shared: settings.shared })
  const plan = await makePlan(others)
  const faults = findFaults({ environment, network, settings, workers: plan.workers })
  const isSmall = await reportBundles(plan, log)
  await checkConfigs(join(dir, '.edgebook/deploy', `${network}-${environment}`), plan)
  reportFaults(faults, log)
  const isMigratable = await reportMigrations(plan, log)
  const isPossible = isSmall && faults.length === 0 && isMigratable
  if (!isPossible && !dryRun) return false

  const final = dryRun ? plan : await adaptToAccount({ ...options, settings, plan, makePlan })
  const preparation = buildPreparation(final, run)
  const deployments = buildDeploySteps(final, { run, version })
  const steps = [...preparation, ...deployments]
  const runGradually = async (check: () => Promise<void>): Promise<boolean> => {
    const outcome = await deployGradually(final.workers, { run, version, check, log })
    return outcome === 'whole' ? runSteps(deployments, log) : outcome === 'done'
  }
  log('\nsteps:')
  for (const step of steps) log(toLine(step, steps))
  if (!dryRun) {
    const isDone = check
      ? (await runSteps(preparation, log)) && (await runGradually(check))
      : await runSteps(steps, log)
    if (isDone) log('\ndeployed: GET /readyz of the gateway shows its state')
    return isDone
  }
  log(isPossible ? '\nready to deploy' : `\ndeployment blocked: ${describeBlock(faults.length)}`)
  return isSmall && isMigratable && faults.every(({ fault }) => fault === 'missing')
}

/** @throws Error without the gateway's address */
const toCheck = (
  gradual: NonNullable<DeployOptions['gradual']>,
  { network, shared }: { network: NetworkName; shared: Settings },
): (() => Promise<void>) => {
  const url = shared.PUBLIC_URL ?? (shared.DOMAIN && `https://${shared.DOMAIN}`)
  if (!url) throw new Error('a gradual deployment reads /readyz of the gateway: set DOMAIN or PUBLIC_URL')
  const paths = [`/${network}/api/v1/version`, `/${network}/status.json`]
  return () => checkDeployment({ ...gradual, url, paths })
}

/** Commit of the sources by `git`; `unknown` without it. */
const findVersion = async (root: string): Promise<string> => {
  const git = promisify(execFile)('git', ['describe', '--always', '--dirty'], { cwd: root })
  return git.then(({ stdout }) => stdout.trim()).catch(() => 'unknown')
}

const reportBundles = async ({ workers }: Plan, log: (line: string) => void): Promise<boolean> => {
  const files = new Map(workers.map(({ config }) => [toGroup(config), config.main]))
  const sizes = await Promise.all([...files].map(async ([group, file]) => ({ group, size: await measureBundle(file) })))
  const toKib = (bytes: number) => Math.ceil(bytes / 1024)
  const describe = ({ script, wasm }: BundleSize) =>
    `${toKib(script)}${wasm > 0 ? ` + ${toKib(wasm)} of WebAssembly` : ''}`
  log(`\nbundles, KiB gzip of ${describe(maxBundleSize)}:`)
  log(`  ${sizes.map(({ group, size }) => `${group} ${describe(size)}`).join(' · ')}`)
  const faults = sizes.flatMap(({ group, size }) =>
    (['script', 'wasm'] as const)
      .filter((part) => size[part] > maxBundleSize[part])
      .map((part) => `  ${group}: its ${part} exceeds ${maxBundleSize[part]} bytes: ${size[part]}`),
  )
  for (const fault of faults) log(fault)
  return faults.length === 0
}

/**
 * Has wrangler parse every configuration; they stay in `.edgebook/deploy` for inspection.
 * @throws Error naming the Worker of a refused configuration
 */
const checkConfigs = async (folder: string, { workers }: Plan): Promise<void> => {
  const { unstable_readConfig: readConfig } = await import('wrangler')
  const configs = workers.map(({ config }) => config)
  const files = await writeWorkerConfigs(folder, configs)
  for (const [index, config] of files.entries()) {
    try {
      readConfig({ config })
    } catch (error) {
      throw new Error(`${configs[index]?.name}: ${error instanceof Error ? error.message : error}`)
    }
  }
}

const reportFaults = (faults: readonly SettingFault[], log: (line: string) => void): void => {
  log(faults.length === 0 ? '\nsettings: complete' : '\nsettings:')
  for (const { setting, fault, file, about } of faults)
    log(`  ${setting}: ${fault}. ${fault === 'missing' ? 'Set' : 'Correct'} it in ${file}${about ? ` (${about})` : ''}`)
}

/** @param count settings with a fault; zero when a bundle or a migration blocks */
const describeBlock = (count: number): string => {
  if (count === 0) return 'see above'
  return `${count} ${count === 1 ? 'setting' : 'settings'} missing or invalid`
}

/** @returns whether each database can be migrated, as far as can be checked */
const reportMigrations = async ({ databaseUrls, ownerUrls }: Plan, log: (line: string) => void): Promise<boolean> => {
  if (databaseUrls.length === 0) log('\nmigrations: unknown without DATABASE_URL')
  const looks = databaseUrls.map(async (databaseUrl) => {
    try {
      const pending = await findPendingMigrations(ownerUrls.get(databaseUrl) ?? databaseUrl)
      log(`\nmigrations: ${toHost(databaseUrl)} has pending: ${pending.join(', ') || 'none'}`)
      return true
    } catch (error) {
      log(`\nmigrations: ${toHost(databaseUrl)} cannot be migrated: ${describeError(error)}`)
      return false
    }
  })
  return (await Promise.all(looks)).every(Boolean)
}

const toHost = (databaseUrl: string): string => URL.parse(databaseUrl)?.hostname ?? 'DATABASE_URL'

/** What all Workers need: databases, queues and buckets. */
const buildPreparation = ({ queues, buckets, databaseUrls, ownerUrls }: Plan, run: RunWrangler): DeployStep[] => [
  ...databaseUrls.map((databaseUrl) => ({
    name: `migrate the database at ${toHost(databaseUrl)}`,
    work: async () => {
      const ownerUrl = ownerUrls.get(databaseUrl)
      if (ownerUrl === undefined) return `${await applyMigrations(databaseUrl)} migrations applied`
      const workersRole = readRole(databaseUrl)
      const applied = await applyMigrations(ownerUrl, { workersRole })
      return `${applied} migrations applied, rows granted to ${workersRole}`
    },
  })),
  ...queues.map((queue) => ({
    name: `create the queue ${queue} unless it exists`,
    work: async () => ((await createQueue(run, queue)) ? 'made' : 'is there'),
  })),
  ...buckets.map((bucket) => ({
    name: `create the bucket ${bucket} unless it exists`,
    work: async () => ((await createBucket(run, bucket)) ? 'made' : 'is there'),
  })),
]

const buildDeploySteps = ({ workers }: Plan, { run, version }: { run: RunWrangler; version: string }): DeployStep[] =>
  workers.map((worker) => {
    const secrets = Object.keys(worker.secrets)
    return {
      name: `deploy ${worker.config.name}${secrets.length > 0 ? `, secrets ${secrets.join(' ')}` : ''}`,
      work: async () => {
        const { succeeded, output } = await deployWorker(run, worker, ['deploy', '--message', `edgebook ${version}`])
        if (!succeeded) throw new WranglerError(output)
        return output.match(/https:\/\/\S+|\S+ \(custom domain\)/)?.[0] ?? 'deployed'
      },
    }
  })
