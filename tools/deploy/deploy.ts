import { join } from 'node:path'
import type { NetworkName } from '#shared/networks.ts'
import type { DoctorFinding } from '../doctor/finding.ts'
import { reachAndDiagnose } from '../doctor/reachAndDiagnose.ts'
import { toDiagnosisTarget } from '../doctor/toDiagnosisTarget.ts'
import { toLines } from '../doctor/toLines.ts'
import { buildWorkers } from '../workers/buildWorkers.ts'
import { readWorkerConfigs } from '../workers/readWorkerConfigs.ts'
import { adaptToAccount } from './adaptToAccount.ts'
import { checkConfigs } from './checkConfigs.ts'
import type { Environment } from './environment.ts'
import { findFaults, type SettingFault } from './faults/findFaults.ts'
import { findVersion } from './findVersion.ts'
import { checkDeployment, type DeploymentCheck } from './gradual/checkDeployment.ts'
import { deployGradually } from './gradual/deployGradually.ts'
import { type Plan, planDeployment } from './planDeployment.ts'
import { readSettings, type Settings } from './readSettings.ts'
import { reportBundles } from './report/reportBundles.ts'
import type { RunWrangler } from './runWrangler.ts'
import { buildDeploySteps } from './steps/buildDeploySteps.ts'
import { buildPreparation } from './steps/buildPreparation.ts'
import { runSteps, toLine } from './steps/runSteps.ts'

export type DeployOptions = {
  /** folder with wrangler.toml and functions/ */
  root: string
  /** folder with the settings files; receives the derived configurations */
  dir: string
  network: NetworkName
  environment: Environment
  /** dry run: needs no account, changes nothing, and reads only configured databases, nodes and drivers */
  dryRun: boolean
  /** deploys although a check of `npm run doctor` is wrong */
  anyway: boolean
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
  const { root, dir, network, environment, dryRun, anyway, variables, run, log } = options
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
  const faults = findFaults({ dir, variables, environment, network, settings, workers: plan.workers })
  const isSmall = await reportBundles(plan, log)
  await checkConfigs(join(dir, '.edgebook/deploy', `${network}-${environment}`), plan)
  reportFaults(faults, log)
  const target = toDiagnosisTarget({ network, settings, plan, faults })
  const findings = await reachAndDiagnose(network, { ...target, place: 'cloudflare', migrates: true })
  reportFindings(findings, log)
  const wrong = findings.filter(({ state }) => state === 'wrong').length
  const isHealthy = anyway || wrong === 0
  const isPossible = isSmall && faults.length === 0 && isHealthy
  if (!isPossible && !dryRun) {
    log(`\ndeployment blocked: ${describeBlock(faults.length, isHealthy ? 0 : wrong)}`)
    return false
  }

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
  log(isPossible ? '\nready to deploy' : `\ndeployment blocked: ${describeBlock(faults.length, isHealthy ? 0 : wrong)}`)
  return isSmall && isHealthy && faults.every(({ fault }) => fault === 'missing')
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

/**
 * @param faults settings with a fault
 * @param wrong checks that block; both zero when a bundle blocks
 */
const describeBlock = (faults: number, wrong: number): string => {
  if (faults > 0) return `${faults} ${faults === 1 ? 'setting' : 'settings'} missing or invalid`
  return wrong > 0 ? `${wrong} wrong; --anyway deploys nevertheless` : 'see above'
}

/** Prints what is not as it should be, and pending migrations. */
const reportFindings = (findings: readonly DoctorFinding[], log: (line: string) => void): void => {
  const lines = toLines(findings.filter(({ state, name }) => state !== 'ok' || name.endsWith(', migrations')))
  if (lines.length > 0) log(`\nchecks of npm run doctor:\n${lines.join('\n')}`)
}

/** Prints faults of settings and the files to correct. */
const reportFaults = (faults: readonly SettingFault[], log: (line: string) => void): void => {
  log(faults.length === 0 ? '\nsettings: complete' : '\nsettings:')
  for (const { setting, fault, file, about } of faults)
    log(`  ${setting}: ${fault}. ${fault === 'missing' ? 'Set' : 'Correct'} it in ${file}${about ? ` (${about})` : ''}`)
}
