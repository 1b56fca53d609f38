import type { Address } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { NotReadyError } from '#shared/http/NotReadyError.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { createAuctionMemory } from './createAuctionMemory.ts'
import { createDriverApp } from './createDriverApp.ts'
import { connectEngine } from './engine/connectEngine.ts'
import { findEngineQuote } from './engine/findEngineQuote.ts'
import { findEngineSolutions } from './engine/findEngineSolutions.ts'
import { forwardNotice } from './engine/forwardNotice.ts'
import { getQuote } from './getQuote.ts'
import { createBlockMemory } from './pools/createBlockMemory.ts'
import { createQuoteMarket } from './pools/createQuoteMarket.ts'
import { postNotify } from './postNotify.ts'
import { postReveal } from './postReveal.ts'
import { postSettle } from './postSettle.ts'
import { postSolve } from './postSolve.ts'
import { describeShortage, findSendingTerms } from './sending/findSendingTerms.ts'
import { type Settings, settingsSchema } from './settings.ts'
import { createTurns } from './solutions/createTurns.ts'
import { findQuote } from './solutions/findQuote.ts'
import { findSolutions } from './solutions/findSolutions.ts'

/** sufficient for an auction of several thousand orders with hooks and contract signatures */
const maxBodyBytes = 32 * 1024 * 1024

export default createWorker({
  maxBodyBytes,
  settings: settingsSchema,
  routes: (settings) => {
    const {
      NETWORK: network,
      RPC_URL,
      SOLVER_NAME,
      SOLVER_STRATEGY: strategy,
      factory,
      baseTokens,
      tolerance,
    } = settings
    const solver = toSolverAddress(settings)
    const deps = { network, strategy, factory, baseTokens, solver, tolerance }
    const connect = () => connectChain(RPC_URL, network.chainId)
    const memory = createBlockMemory()
    const auctions = createAuctionMemory()
    const turns = createTurns()
    const findMarket = createQuoteMarket(memory)
    const queue = () => getQueue(settings, solver)
    const { SOLVER_ENGINE_URL } = settings
    const engine = SOLVER_ENGINE_URL === undefined ? undefined : connectEngine(SOLVER_NAME, solver, SOLVER_ENGINE_URL)
    const solving = { memory, simulate: simulateCalls(RPC_URL), isSettling: () => queue().isSettling() }
    return [
      getName(SOLVER_NAME),
      getQuote({
        findQuote: (query, timeLeftMs, background) =>
          engine
            ? findEngineQuote(connect(), findMarket, { ...deps, engine, now: Date.now, background }, query, timeLeftMs)
            : findQuote(connect(), findMarket, deps, query, timeLeftMs),
        now: Date.now,
      }),
      postSolve({
        complete: auctions.complete,
        findSolutions: (auction, report, background) =>
          engine
            ? findEngineSolutions(
                connect(),
                { ...deps, ...solving, engine, now: Date.now, log: logEntry },
                auction,
                report,
                background,
              )
            : findSolutions(connect(), { ...deps, ...solving, turns }, auction, Date.now(), report),
        remember: (auctionId, settlements) => queue().remember(auctionId, settlements),
        solver,
        now: Date.now,
      }),
      postReveal({ reveal: (auctionId, solutionId) => queue().reveal(auctionId, solutionId) }),
      postSettle({ settle: (request) => queue().settle(request) }),
      postNotify({
        log: logEntry,
        forward: engine && forwardNotice(engine, (solutionId) => queue().findEngineId(solutionId)),
      }),
    ]
  },
  probes: (settings) => ({
    rpc: () => connectChain(settings.RPC_URL).getChainId(),
    funds: async () =>
      checkFault(
        describeShortage(
          await findSendingTerms(connectChain(settings.RPC_URL, settings.NETWORK.chainId), toSolverAddress(settings)),
        ),
      ),
    settlements: async () => checkFault(await getQueue(settings, toSolverAddress(settings)).findFault()),
  }),
})

/** @throws NotReadyError with the fault, if there is one */
const checkFault = (fault: string | null | undefined): void => {
  if (fault) throw new NotReadyError(fault)
}

const toSolverAddress = ({ SOLVER_PRIVATE_KEY }: Settings): Address =>
  privateKeyToAddress(SOLVER_PRIVATE_KEY).toLowerCase() as Address

/** One queue per key, so that a single object assigns nonces. */
const getQueue = ({ SETTLEMENTS }: Settings, solver: Address) => SETTLEMENTS.getByName(solver)

/** `GET /`: the solver's name, as text. */
const getName = (name: string) => {
  const app = createDriverApp()
  app.get('/', (c) => c.text(name))
  return app
}
