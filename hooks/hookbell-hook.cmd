@echo off
rem The hook that agents run on Windows where a shell reads the command. `hookbell init` puts it beside the state with the next
rem line filled in; an edit is lost at the next `hookbell init`. cmd.exe looks for a program in the current folder first, which
rem may be a stranger's project, so every program in here has its whole path. cmd.exe reads this file in the code page of the
rem console, so there is no other text than ASCII in it: hookbell-hook.cjs, beside it, knows where hookbell is.
setlocal DisableDelayedExpansion
set "here=%~dp0"
set "node=@NODE@"
if defined node if "%node:~1,1%"==":" if exist "%node%" goto run

rem A version manager may have removed the Node that init found. The one on PATH serves as well, but none of a relative folder,
rem of the agent's folder, or of what is installed in a project.
set "node="
if not defined PATH goto run
set "folders=%PATH:"=%"
for %%P in ("%folders:;=" "%") do if not defined node if exist "%%~P\node.exe" if /i "%%~fP"=="%%~P" if /i not "%%~fP"=="%CD%" if /i not "%%~nxP"==".bin" set "folder=%%~P"& call :try

:run
if not defined node >&2 echo hookbell: there is no Node.js on PATH any more: install it, then run hookbell init& exit /b 1
rem A path between exclamation marks is not read a second time, whatever signs are in it.
setlocal EnableDelayedExpansion
"!node!" "!here!hookbell-hook.cjs" %*
exit /b %errorlevel%

:try
call set "rest=%%folder:%CD%\=%%"
if "%rest%"=="%folder%" set "node=%folder%\node.exe"
exit /b
