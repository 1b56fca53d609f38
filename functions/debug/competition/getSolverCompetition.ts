import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Hex } from 'viem'
import type { SolverCompetitionFacts } from '#schema/queries/auctions/solverCompetition.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { hashSchema } from '#shared/validation/chainValues.ts'
import { hasBearerToken } from '../hasBearerToken.ts'
import { auctionIdSchema } from './auctionId.ts'
import { isFinal } from './isFinal.ts'
import {
  solverCompetitionSchema,
  solverCompetitionV1Schema,
  toSolverCompetition,
  toSolverCompetitionV1,
} from './toSolverCompetition.ts'

export type SolverCompetitionDeps = {
  /** blocks behind the head that are never replaced */
  finalBlocks: number
  /** whether competitions whose winners may still settle are visible on `/restricted` only */
  hideBeforeDeadline: boolean
  /** when set, `/restricted` requires it as a bearer token while anything is hidden */
  token: string | undefined
  findLatestAuctionId: (onlyPast: boolean) => Promise<number | null>
  findSettledAuctionId: (transactionHash: Hex) => Promise<number | null>
  findCompetition: (auctionId: number, onlyPast: boolean) => Promise<SolverCompetitionFacts | undefined>
}

const v1 = {
  schema: solverCompetitionV1Schema,
  toResponse: (facts: SolverCompetitionFacts) => toSolverCompetitionV1(toSolverCompetition(facts)),
}
const v2 = { schema: solverCompetitionSchema, toResponse: toSolverCompetition }

/** Routes of each version: latest auction, auction of a settlement transaction, auction by id. */
const versions = [
  { names: ['getLatestCompetitionV1', 'getCompetitionByHashV1', 'getCompetitionV1'], ...v1, restricted: false },
  { names: ['getLatestCompetition', 'getCompetitionByHash', 'getCompetition'], ...v2, restricted: false },
  { names: ['getRestrictedLatest', 'getRestrictedByHash', 'getRestrictedCompetition'], ...v2, restricted: true },
] as const

type CompetitionName = (typeof versions)[number]['names'][number]

const competitionRoute = <Params extends z.ZodObject>(name: CompetitionName, schema: z.ZodType, params: Params) =>
  createRoute({
    ...endpoint(name),
    tags: ['Auctions'],
    summary: 'All solutions of one auction, worst first',
    request: { params },
    responses: {
      200: { description: 'the competition', content: { 'application/json': { schema: schema } } },
      ...errorResponses('InvalidParameter', 'Unauthorized', 'NotFound', 'InternalServerError', 'ServiceUnavailable'),
    },
  })

/** `GET /{network}/api/v{1,2}/solver_competition/…`: by auction id, by settlement transaction, or the latest. */
export const getSolverCompetition = (deps: SolverCompetitionDeps) => {
  const app = createApp()
  for (const { names, schema, toResponse, restricted } of versions) {
    const onlyPast = deps.hideBeforeDeadline && !restricted
    const answer = async (c: Context, auctionId: number | null, cacheControl?: string) => {
      if (restricted && !mayRead(deps, c)) {
        c.header('WWW-Authenticate', 'Bearer')
        throw new ApiError('Unauthorized')
      }
      const facts = auctionId === null ? undefined : await deps.findCompetition(auctionId, onlyPast)
      if (!facts) throw new ApiError('NotFound', { description: 'solver competition not found' })
      c.header(
        'Cache-Control',
        cacheControl ??
          (isFinal(facts, deps.finalBlocks) && !restricted ? cachePolicies.finalCompetition : cachePolicies.live),
      )
      return c.json(toResponse(facts), 200)
    }
    const [latest, byHash, byId] = names
    app.openapi(competitionRoute(latest, schema, z.object({})), async (c) =>
      answer(c, await deps.findLatestAuctionId(onlyPast), cachePolicies.live),
    )
    app.openapi(competitionRoute(byHash, schema, z.object({ tx_hash: hashSchema })), async (c) =>
      answer(c, await deps.findSettledAuctionId(c.req.valid('param').tx_hash)),
    )
    app.openapi(competitionRoute(byId, schema, z.object({ auction_id: auctionIdSchema })), async (c) =>
      answer(c, c.req.valid('param').auction_id),
    )
  }
  return app
}

const mayRead = ({ hideBeforeDeadline, token }: SolverCompetitionDeps, c: Context): boolean =>
  !hideBeforeDeadline || token === undefined || hasBearerToken(c.req.header('Authorization'), token)
