import { mapBounded } from '#shared/mapBounded.ts'
import { type NetworkName, networkNames } from '#shared/networks.ts'
import { type Environment, toEnvironmentName } from './environment.ts'
import { listForeignServices, type Plan, withoutServices } from './planDeployment.ts'
import type { DeploymentSettings } from './readSettings.ts'
import type { RunWrangler } from './runWrangler.ts'
import { settingsFile } from './settingsFile.ts'

/**
 * Adapts a plan to the account: shared Workers are bound to the Workers of every deployed network, and to no others.
 * @throws Error when not signed in, or when the gateway would lose a network whose settings are missing here
 */
export const adaptToAccount = async (options: {
  network: NetworkName
  environment: Environment
  settings: DeploymentSettings
  plan: Plan
  /** returns the plan with these networks deployed beside the current one */
  makePlan: (others: readonly NetworkName[]) => Promise<Plan>
  run: RunWrangler
  log: (line: string) => void
}): Promise<Plan> => {
  const { network, environment, settings, plan, makePlan, run, log } = options
  if (!(await run(['whoami', '--json'])).succeeded)
    throw new Error(
      'not signed in at Cloudflare: npx wrangler login, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID',
    )

  const others = networkNames.filter((name) => name !== network)
  const foreign = listForeignServices(plan)
  const absent = await findAbsentWorkers(run, [
    ...new Set([...foreign, ...others.map((name) => toSample(name, environment))]),
  ])
  const deployed = others.filter((name) => !absent.includes(toSample(name, environment)))
  const lost = deployed.find((name) => !settings.networks.has(name))
  if (lost)
    throw new Error(
      `${lost} is deployed, but ${settingsFile(lost, environment)} is not here: the gateway would lose ${lost}. ` +
        `Bring the file, or delete its Workers (docs/deploy.md, "Removing a network")`,
    )
  for (const name of settings.networks.keys())
    if (name !== network && !deployed.includes(name)) log(`\n${name} has settings, but is not deployed: left out`)
  return withoutServices(await makePlan(deployed), absent)
}

/** The Worker whose presence marks a network as deployed. */
const toSample = (network: NetworkName, environment: Environment): string =>
  toEnvironmentName(`edgebook-orders-${network}`.replaceAll('_', '-'), environment)

const atOnce = 4
/** platform error for a Worker that was never deployed */
const notFound = '[code: 10007]'

/**
 * Which of these Workers the account lacks.
 * @throws Error when the platform's response does not say
 */
const findAbsentWorkers = async (run: RunWrangler, names: readonly string[]): Promise<string[]> => {
  const absent: string[] = []
  await mapBounded([...names], atOnce, async (name) => {
    const { succeeded, output } = await run(['deployments', 'list', '--name', name, '--json'])
    if (succeeded) return
    if (!output.includes(notFound)) throw new Error(`cannot tell whether ${name} is deployed:\n${output.trim()}`)
    absent.push(name)
  })
  return absent
}
