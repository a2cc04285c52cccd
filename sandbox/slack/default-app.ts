import type { AppDeclaration } from './model.ts';

/** The workspace's grants when there is no manifest to read. */
export const defaultApp: AppDeclaration = {
  scopes: [
    'app_mentions:read',
    'canvases:read',
    'canvases:write',
    'channels:history',
    'channels:read',
    'chat:write',
    'commands',
    'files:read',
    'im:history',
    'im:read',
    'im:write',
    'usergroups:read',
    'users:read',
    'users:read.email',
  ],
  events: ['app_mention', 'app_home_opened', 'message.channels', 'message.im'],
  isAgent: false,
  homeTab: true,
  messagesTab: true,
  commands: [
    { command: '/plan', description: 'Turn a goal into a plan', usageHint: '<goal>', shouldEscape: false },
  ],
  shortcuts: [{ name: 'Plan from this message', callbackId: 'plan_from_message', type: 'message' }],
};
