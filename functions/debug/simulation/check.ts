import { ApiError } from '#shared/http/errors.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { verdictChecks } from '#shared/orders/verdict/finding.ts'

/** Checks in their order: the draft itself, then the verdict. */
export const checkNames = ['shape', 'appData', ...verdictChecks] as const

export type CheckName = (typeof checkNames)[number]

/** Result of one check. `reason`: why it failed or was skipped; `evidence`: the facts, amounts in atoms. */
export type Check = {
  check: CheckName
  status: 'pass' | 'fail' | 'skipped'
  reason?: string
  evidence: JsonObject
}

const build =
  (status: 'fail' | 'skipped') =>
  (check: CheckName, reason: string, evidence: JsonObject = {}): Check => ({ check, status, reason, evidence })

export const failCheck = build('fail')
export const skipCheck = build('skipped')

/** A placement rule as a check: its error type is the reason, its error data the evidence. */
export const toCheck = (check: CheckName, rule: () => JsonObject | undefined): Check => {
  try {
    return { check, status: 'pass', evidence: rule() ?? {} }
  } catch (error) {
    if (error instanceof ApiError) return failCheck(check, error.errorType, error.data)
    throw error
  }
}
