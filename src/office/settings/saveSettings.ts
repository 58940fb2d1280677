import type { Settings } from '~/domain/entities'
import { type Refusal, refusal } from '~/domain/errors'
import { editSettings } from '~/src/features/settings/settings'
import type { AppDispatch } from '~/src/store/makeStore'

/** Thunk: writes the changed settings; whatever the database refuses is told as update_failed. */
export const saveSettings =
  (before: Settings, changes: Partial<Settings>) =>
  async (dispatch: AppDispatch): Promise<void> => {
    await dispatch(editSettings({ before, changes, quiet: true }))
      .unwrap()
      .catch((error: unknown) => {
        const { key } = error as Refusal
        throw key === 'demo_mode' || key === 'proper_bonus' ? error : refusal('update_failed')
      })
  }

/** Only what differs, so that two people who edit different fields do not undo each other. */
export const changedOf = <Values extends Partial<Settings>>(
  before: Settings,
  values: Values,
): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => value !== undefined && before[key as keyof Settings] !== value,
    ),
  )
