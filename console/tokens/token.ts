import type { components } from '../api/openapi.d.ts'

export type Token = components['schemas']['TokenDetails']
