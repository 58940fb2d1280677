import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '~/domain/office/types'
import { aSettings } from '~/domain/testing/builders'
import { createProjectPorts, createUserContext, getErrorKey } from '../../testing/testPorts'
import { begin_export } from './beginExport'

describe('the export of a list', () => {
  it('is in the audit, with who exports what', async () => {
    const given = createProjectPorts({})
    await begin_export.handle({ list: 'rider' }, createUserContext('boss', 'admin', given))
    expect(Object.values(given.db.at('audit') as Record<string, AuditEntry>)).toMatchObject([
      { by: 'boss', action: 'table_export', path: 'users', to: { list: 'rider' } },
    ])
  })

  it('is refused in demo mode', async () => {
    const given = createProjectPorts({ settings: aSettings({ AllowCriticalEditsAdmin: false }) })
    const context = createUserContext('boss', 'admin', given)
    expect(await getErrorKey(begin_export.handle({ list: 'audit' }, context))).toBe('demo_mode')
    expect(given.db.at('audit')).toBeNull()
  })
})
