import { z } from 'zod'
import { setting } from './setting.ts'

export const HIDE_COMPETITION_BEFORE_DEADLINE = setting(z.stringbool(), {
  description: 'hides a solver competition until its winners can no longer settle: `true` or `false`',
  scope: 'network',
  default: 'false',
})
