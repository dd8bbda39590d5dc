import Commands

await ImgScriptCommand.run()
