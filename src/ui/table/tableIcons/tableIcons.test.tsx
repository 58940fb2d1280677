import { readFileSync } from 'node:fs'
import { render } from '@testing-library/react'
import { type ComponentType, createElement } from 'react'
import { expect, test } from 'vitest'

// TypeScript knows no types of this package, because only the table imports it.
const PACKAGE: string = '@mui/icons-material'
const TABLE_ICONS = 'node_modules/@material-table/core/dist/defaults/props.icons.js'

test('draws every icon that the table imports', async () => {
  const [, imported = ''] =
    /import \{([^}]*)\} from "@mui\/icons-material"/.exec(readFileSync(TABLE_ICONS, 'utf8')) ?? []
  const names = imported.split(',').map((name) => name.trim())
  expect(names.length).toBeGreaterThan(10)
  const icons = (await import(PACKAGE)) as Record<string, ComponentType>
  expect(Object.keys(icons).sort()).toEqual([...names].sort())
  for (const name of names) {
    const { container } = render(createElement(icons[name]!))
    expect(container.querySelector('svg path')).toHaveAttribute('d')
  }
})
