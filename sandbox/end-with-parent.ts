/** Loaded into the bot by the demo: the bot ends as on Ctrl-C when the demo is gone, even after a kill -9 of the demo. */
process.once('disconnect', () => process.kill(process.pid, 'SIGINT'));
// The channel alone must not keep the bot alive.
process.channel?.unref();
