import './networks/loadOperatorNetworks.ts'

import type { Address } from 'viem'
import { networks } from '#shared/networks.ts'
import { readCommand } from './command/readCommand.ts'
import { readAddress } from './command/readOptions.ts'
import { runMain } from './command/runMain.ts'
import { connectOperator, readOperatorKey } from './contracts/connectOperator.ts'
import { findNodeUrl } from './contracts/findNodeUrl.ts'
import { manageSolvers, type SolverAction } from './contracts/manageSolvers.ts'
import { readEnvironment } from './deploy/environment.ts'
import { readNetwork } from './deploy/readNetwork.ts'
import { readSettings } from './deploy/readSettings.ts'
import { readSolverDeployments } from './deploy/readSolverDeployments.ts'
import { checkSolver } from './solvers/checkSolver.ts'

const command = {
  run: 'npm run solvers',
  about: `Allows accounts to settle with the contracts of a network, forbids it, or prints who may.
OPERATOR_PRIVATE_KEY is the key of the manager.
With check and a URL it checks an engine or a driver: quotes, auctions, a settlement on a local chain, wrong requests.`,
  positionals: {
    '<network>|check': 'name, alias or chain id; or check',
    'add|remove|list|<url>': 'what to do; or the URL of an engine or a driver',
    '[0x…]': 'accounts; without them those of SOLVERS in the settings',
  },
  options: {
    'rpc-url': { type: 'string', value: 'url', about: 'check: node of the local chain that the driver uses' },
    staging: { type: 'boolean', default: false, about: 'the staging environment of the network' },
  },
} as const

const actions: readonly string[] = ['add', 'remove', 'list'] satisfies SolverAction[]

const main = async (): Promise<void> => {
  const { values, positionals } = readCommand(command)
  const [segment, action = 'list', ...accounts] = positionals
  if (segment === 'check') return check(action, values['rpc-url'])
  const name = readNetwork(segment === undefined ? [] : [segment], command.run)
  if (!actions.includes(action)) throw new Error(`${command.run}: add, remove or list; got ${action}`)
  const environment = readEnvironment(values.staging)
  const settings = readSettings(process.cwd(), environment, process.env).networks.get(name) ?? {}
  const configured = readSolverDeployments(settings).solvers.map(({ address }) => address as Address)
  const solvers =
    accounts.length > 0 ? accounts.map((account) => readAddress('account of a solver', account)) : configured
  const rpcUrl = findNodeUrl(process.cwd(), name, environment, process.env)
  const chain = connectOperator(rpcUrl, networks[name], readOperatorKey(process.env))
  await manageSolvers(chain, networks[name], action as SolverAction, solvers, console.log)
}

/** @throws Error when something must be mended */
const check = async (url: string, rpcUrl: string | undefined): Promise<void> => {
  const findings = await checkSolver(url, { rpcUrl, write: console.log })
  const faults = findings.filter(({ kind }) => kind === 'fault')
  if (faults.length > 0) throw new Error(`${faults.length} of ${findings.length} checks failed`)
}

await runMain(main)
