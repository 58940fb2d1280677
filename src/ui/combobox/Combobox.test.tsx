import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ComponentProps, useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makeI18n } from '~/src/i18n/i18n'
import { Combobox } from './Combobox'

const NAMES = ['Ana', 'Bruno', 'Carla']
const onChoose = vi.fn()
const onSubmit = vi.fn((event: Event) => event.preventDefault())
beforeEach(() => vi.clearAllMocks())

type Props = Pick<ComponentProps<typeof Combobox>, 'isSearching'> & { names: string[] | null }

const People = ({ names, isSearching = false }: Props) => {
  const [text, setText] = useState('')
  return (
    <I18nextProvider i18n={makeI18n()}>
      <form onSubmit={(event) => onSubmit(event.nativeEvent)}>
        <Combobox
          label="Person"
          listLabel="People"
          value={text}
          isSearching={isSearching}
          options={
            names?.map((name) => ({ key: name, content: name, choose: () => onChoose(name) })) ??
            null
          }
          onType={setText}
        />
      </form>
    </I18nextProvider>
  )
}

const focusField = () => screen.getByRole('combobox', { name: 'Person' }).focus()
const getSelected = () => screen.getByRole('option', { selected: true }).textContent

describe('a combobox', () => {
  it('moves around both ends of its list with the arrow keys, and chooses with Enter', async () => {
    render(<People names={NAMES} />)
    focusField()
    expect(getSelected()).toBe('Ana')
    await userEvent.keyboard('{ArrowUp}')
    expect(getSelected()).toBe('Carla')
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(getSelected()).toBe('Bruno')
    await userEvent.keyboard('{Enter}')
    expect(onChoose.mock.calls).toEqual([['Bruno']])
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('keeps the selected entry when another one arrives before it', async () => {
    const { rerender } = render(<People names={NAMES} />)
    focusField()
    await userEvent.keyboard('{ArrowDown}')
    rerender(<People names={['Abel', ...NAMES]} />)
    expect(getSelected()).toBe('Bruno')
  })

  it('chooses the first result of a search that Enter waits for, unless more is typed', async () => {
    const { rerender } = render(<People names={null} isSearching />)
    focusField()
    await userEvent.keyboard('a{Enter}')
    rerender(<People names={NAMES} />)
    expect(onChoose.mock.calls).toEqual([['Ana']])

    rerender(<People names={NAMES} isSearching />)
    await userEvent.keyboard('{Enter}n')
    rerender(<People names={NAMES} />)
    expect(onChoose).toHaveBeenCalledTimes(1)
  })

  it('does not send its form on Enter while its list says that nothing matches', async () => {
    render(<People names={[]} />)
    focusField()
    expect(screen.getByRole('option')).toHaveTextContent('No results')
    await userEvent.keyboard('{Enter}')
    expect(onSubmit).not.toHaveBeenCalled()
    expect(onChoose).not.toHaveBeenCalled()
  })
})
